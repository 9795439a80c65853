// Reads each address with Node's fetch and whatever it offers.
import {createHash} from 'node:crypto';

const [base, ...addresses] = process.argv.slice(2);
for (const address of addresses) {
    const response = await fetch(base + address);
    const body = Buffer.from(await response.arrayBuffer());
    console.log(response.status, createHash('sha256').update(body).digest('hex'), address);
}
