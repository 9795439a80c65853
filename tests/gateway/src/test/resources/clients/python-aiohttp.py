"""Reads each address with aiohttp and whatever it offers."""
import asyncio
import hashlib
import sys

import aiohttp


async def main():
    async with aiohttp.ClientSession() as session:
        for address in sys.argv[2:]:
            async with session.get(sys.argv[1] + address) as response:
                print(response.status, hashlib.sha256(await response.read()).hexdigest(), address)


asyncio.run(main())
