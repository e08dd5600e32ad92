export interface ApiClient {
  readonly get: (path: string) => Promise<unknown>
  readonly post: (path: string, corpo?: unknown) => Promise<unknown>
  readonly put: (path: string, corpo: unknown) => Promise<unknown>
  /** The status alone; does not throw on errors. */
  readonly status: (metodo: string, path: string, corpo?: unknown) => Promise<number>
}

/**
 * `linha`: with `propria` each request opens its own connection, because the server may close an idle one just as a
 * request uses it. `aberta` reuses connections, to measure the cost of a request.
 */
export function createApiClient(url: string, token = '', connection: 'propria' | 'aberta' = 'propria'): ApiClient {
  const ask = async (metodo: string, path: string, corpo?: unknown): Promise<Response> =>
    fetch(`${url}/api${path}`, {
      method: metodo,
      headers: {
        ...(connection === 'propria' ? { connection: 'close' } : {}),
        authorization: `Bearer ${token}`,
        ...(corpo === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(corpo === undefined ? {} : { body: JSON.stringify(corpo) }),
    })
  const json = async (metodo: string, path: string, corpo?: unknown): Promise<unknown> => {
    const reply = await ask(metodo, path, corpo)
    const texto = await reply.text()
    if (!reply.ok) throw new Error(`request failed: ${metodo} ${path} → ${reply.status} ${texto}`)
    return texto === '' ? undefined : JSON.parse(texto)
  }
  return {
    get: (path) => json('GET', path),
    post: (path, corpo = {}) => json('POST', path, corpo),
    put: (path, corpo) => json('PUT', path, corpo),
    status: async (metodo, path, corpo) => (await ask(metodo, path, corpo)).status,
  }
}
