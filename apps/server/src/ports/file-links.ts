export interface SignedQuery {
  /** End in seconds since 1970. */
  readonly e: string
  /** HMAC of conta, file and end. */
  readonly a: string
}

/** Signs the addresses of chat files, because `<img>` and `<audio>` send no token. */
export interface FileLinks {
  /** Adds end and signature to the address of a chat file. Other addresses stay as they are. */
  readonly sign: (contaId: string, url: string, validMs?: number) => string
  /** Signs the addresses in the fields `url` and `imagemUrl` of an answer. */
  readonly signJson: (contaId: string, json: string) => string
  readonly isValid: (contaId: string, name: string, query: SignedQuery) => boolean
}
