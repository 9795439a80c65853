// Reads each address with Go's net/http, which offers gzip and unpacks it by itself.
package main

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	for _, address := range os.Args[2:] {
		response, err := http.Get(os.Args[1] + address)
		if err != nil {
			panic(err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil {
			panic(err)
		}
		response.Body.Close()
		fmt.Printf("%d %x %s\n", response.StatusCode, sha256.Sum256(body), address)
	}
}
