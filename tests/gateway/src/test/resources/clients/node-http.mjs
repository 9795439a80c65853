// Reads each address with Node's http module, which offers nothing, and with each coding that its zlib unpacks.
import {createHash} from 'node:crypto';
import {get} from 'node:http';
import * as zlib from 'node:zlib';

const unpackers = {identity: body => body, gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync};
const [base, ...addresses] = process.argv.slice(2);

function read(address, headers) {
    return new Promise((resolve, reject) => get(base + address, {headers}, response => {
        const pieces = [];
        response.on('data', piece => pieces.push(piece));
        response.on('end', () => resolve([response, Buffer.concat(pieces)]));
        response.on('error', reject);
    }).on('error', reject));
}

for (const address of addresses) {
    for (const offered of [null, ...Object.keys(unpackers).filter(coding => unpackers[coding])]) {
        const [response, packed] = await read(address, offered ? {'Accept-Encoding': offered} : {});
        const body = unpackers[response.headers['content-encoding'] ?? 'identity'](packed);
        console.log(response.statusCode, createHash('sha256').update(body).digest('hex'), address);
    }
}
