/** A small client of the product's API for what a journey sets up without a screen. */
export interface Api {
  readonly get: (caminho: string) => Promise<unknown>
  readonly post: (caminho: string, corpo?: unknown) => Promise<unknown>
  readonly put: (caminho: string, corpo: unknown) => Promise<unknown>
  /** The status alone, whatever it is. */
  readonly status: (metodo: string, caminho: string, corpo?: unknown) => Promise<number>
}

/**
 * `linha`: each request has a line of its own, since one kept open may be closed by the other side just as a late request takes it;
 * `aberta` for who measures what a request costs.
 */
export function createApi(url: string, token = '', linha: 'propria' | 'aberta' = 'propria'): Api {
  const ask = async (metodo: string, caminho: string, corpo?: unknown): Promise<Response> =>
    fetch(`${url}/api${caminho}`, {
      method: metodo,
      headers: {
        ...(linha === 'propria' ? { connection: 'close' } : {}),
        authorization: `Bearer ${token}`,
        ...(corpo === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(corpo === undefined ? {} : { body: JSON.stringify(corpo) }),
    })
  const json = async (metodo: string, caminho: string, corpo?: unknown): Promise<unknown> => {
    const resposta = await ask(metodo, caminho, corpo)
    const texto = await resposta.text()
    if (!resposta.ok) throw new Error(`${metodo} ${caminho} → ${resposta.status} ${texto}`)
    return texto === '' ? undefined : JSON.parse(texto)
  }
  return {
    get: (caminho) => json('GET', caminho),
    post: (caminho, corpo = {}) => json('POST', caminho, corpo),
    put: (caminho, corpo) => json('PUT', caminho, corpo),
    status: async (metodo, caminho, corpo) => (await ask(metodo, caminho, corpo)).status,
  }
}
