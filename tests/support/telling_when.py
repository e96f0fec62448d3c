"""The client, which says on standard output when it has begun to connect."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from perudo_client import cli


class _Telling(asyncio.SelectorEventLoop):
    async def sock_connect(self, sock: Any, address: Any) -> None:
        print("connecting", flush=True)  # noqa: T201
        await super().sock_connect(sock, address)


class _Policy(asyncio.DefaultEventLoopPolicy):
    def new_event_loop(self) -> asyncio.AbstractEventLoop:
        return _Telling()


if __name__ == "__main__":
    asyncio.set_event_loop_policy(_Policy())
    sys.exit(cli.main(sys.argv[1:]))
