import { Agent, request } from 'node:http'

export interface LoadRequest {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: object
}

interface LoadResult {
  readonly timesMs: number[]
  readonly seconds: number
}

const CONNECTIONS = 10

/**
 * Ten connections send requests back to back for `segundos`. The tokens take turns because each has its own request
 * limit. Throws on any status other than 200, because a refusal would count as a fast answer.
 */
export async function runLoad(
  url: string,
  tokens: readonly string[],
  seconds: number,
  request: (n: number) => LoadRequest,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const tempos: number[] = []
  let n = 0
  const inicio = performance.now()
  const fim = inicio + seconds * 1000
  const conexao = async (): Promise<void> => {
    while (performance.now() < fim) {
      const vez = n
      n += 1
      const antes = performance.now()
      await sendRequest(agent, url, tokens[vez % tokens.length] ?? '', request(vez))
      tempos.push(performance.now() - antes)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, conexao))
  agent.destroy()
  return { timesMs: tempos, seconds: (performance.now() - inicio) / 1000 }
}

function sendRequest(agent: Agent, url: string, token: string, { method: metodo, path, body }: LoadRequest): Promise<void> {
  const texto = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const pedido = request(
      `${url}/api${path}`,
      {
        agent,
        method: metodo,
        headers: {
          authorization: `Bearer ${token}`,
          ...(texto === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(texto) }),
        },
      },
      (resposta) => {
        resposta.resume()
        resposta.once('error', reject)
        resposta.once('end', () => {
          if (resposta.statusCode === 200) resolve()
          else reject(new Error(`unexpected status: ${metodo} ${path} → ${resposta.statusCode}`))
        })
      },
    )
    pedido.once('error', reject)
    pedido.end(texto)
  })
}
