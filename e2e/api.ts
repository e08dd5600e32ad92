export interface ApiClient {
  readonly get: (caminho: string) => Promise<unknown>
  readonly post: (caminho: string, corpo?: unknown) => Promise<unknown>
  readonly put: (caminho: string, corpo: unknown) => Promise<unknown>
  /** The status alone; does not throw on errors. */
  readonly status: (metodo: string, caminho: string, corpo?: unknown) => Promise<number>
}

/**
 * `linha`: with `propria` each request opens its own connection, because the server may close an idle one just as a
 * request uses it. `aberta` reuses connections, to measure the cost of a request.
 */
export function createApiClient(url: string, token = '', connection: 'propria' | 'aberta' = 'propria'): ApiClient {
  const ask = async (metodo: string, caminho: string, corpo?: unknown): Promise<Response> =>
    fetch(`${url}/api${caminho}`, {
      method: metodo,
      headers: {
        ...(connection === 'propria' ? { connection: 'close' } : {}),
        authorization: `Bearer ${token}`,
        ...(corpo === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(corpo === undefined ? {} : { body: JSON.stringify(corpo) }),
    })
  const json = async (metodo: string, caminho: string, corpo?: unknown): Promise<unknown> => {
    const resposta = await ask(metodo, caminho, corpo)
    const texto = await resposta.text()
    if (!resposta.ok) throw new Error(`request failed: ${metodo} ${caminho} → ${resposta.status} ${texto}`)
    return texto === '' ? undefined : JSON.parse(texto)
  }
  return {
    get: (caminho) => json('GET', caminho),
    post: (caminho, corpo = {}) => json('POST', caminho, corpo),
    put: (caminho, corpo) => json('PUT', caminho, corpo),
    status: async (metodo, caminho, corpo) => (await ask(metodo, caminho, corpo)).status,
  }
}
