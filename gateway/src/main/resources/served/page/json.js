// Reads a response so that every number stays the text that the service wrote.

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** The value of a JSON text in which every number is the text it was written as. */
export function parse(text) {
    return JSON.parse(text.replace(TOKEN, token => (token.charCodeAt(0) === 34 ? token : `"${token}"`)));
}
