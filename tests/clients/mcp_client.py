#!/usr/bin/env python3
"""Checks of mcp.sh: what a mock model was sent, and a client made with the protocol's SDK for Python.

usage: mcp_client.py offered LLM PROMPT TOOL... | told LLM PROMPT TEXT... | python PROJECT ELSEWHERE
"""
import asyncio
import datetime
import json
import pathlib
import re
import sys


def requests(folder, prompt):
    """What the mock model was sent in the session that this prompt began."""
    found = []
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        request = json.loads(path.read_text())
        request = request.get("body", request)
        if isinstance(request, dict) and request.get("tools") and prompt in json.dumps(request.get("messages", [])):
            found.append(request)
    assert found, f"no request with {prompt}"
    return found


def offered(folder, prompt, *tools):
    """The tools by their names, which are all that a client sends that loads them when they are wanted."""
    names = re.compile(r"(?<!MOCK_TOOL )mcp__hipocampus__(\w+)")
    found = set()
    for request in requests(folder, prompt):
        # What the model itself called proves nothing.
        sent = [message for message in request["messages"] if message["role"] != "assistant"]
        found.update(names.findall(json.dumps([request.get("system"), request["tools"], sent])))
    assert found == set(tools), found


def told(folder, prompt, *texts):
    """The results of tools, apart from the prompt that asked for them."""
    results = []
    for message in requests(folder, prompt)[-1]["messages"]:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "tool_result":
                results.append(json.dumps(block["content"], ensure_ascii=False))
    for text in texts:
        assert any(text in result for result in results), f"{text!r} is not in {results}"


def check(what, holds, found=""):
    print(f"ok     {what}" if holds else f"FAILED {what}: {found}")


def text(result):
    return "".join(block.text for block in result.content)


async def with_roots(project, elsewhere, mode):
    """A client whose folders are roots, by the handshake of old or by the newest version without one."""
    from mcp import Client, StdioServerParameters, types

    roots, asked = [pathlib.Path(project, "sub")], []

    async def list_roots(_):
        asked.append(list(roots))
        return types.ListRootsResult(roots=[types.Root(uri=root.as_uri()) for root in roots])

    server = StdioServerParameters(command="hipocampus", args=["mcp"], cwd=elsewhere)
    day = datetime.date.today() - datetime.timedelta(days=1)
    async with Client(server, mode=mode, list_roots_callback=list_roots) as client:
        found = text(await client.call_tool("search", {"query": "tide tables"}))
        check(f"{mode}: the project of a root is found", "HARBOUR-4711" in found and asked, found)
        listed = [resource.uri for resource in (await client.list_resources()).resources]
        check(f"{mode}: its days are listed", [str(uri) for uri in listed] == ["memory://root", f"memory://{day}"], listed)
        root = (await client.read_resource("memory://root")).contents[0].text
        check(f"{mode}: ROOT.md is read", "HARBOUR-4711" in root, root)
        refused = await client.call_tool("remember", {"text": "x"})
        check(f"{mode}: it only reads", refused.is_error and "only reads" in text(refused), refused)
        roots[:] = [pathlib.Path(elsewhere)]
        if mode == "legacy":
            await client.session.send_roots_list_changed()
        gone = await client.call_tool("search", {"query": "tide tables"})
        check(f"{mode}: other roots are followed", gone.is_error and "no hipocampus project" in text(gone), gone)


async def python(project, elsewhere):
    for mode in ["legacy", "2026-07-28"]:
        await with_roots(project, elsewhere, mode)


if __name__ == "__main__":
    name, *rest = sys.argv[1:]
    if name == "python":
        asyncio.run(python(*rest))
    else:
        {"offered": offered, "told": told}[name](*rest)
