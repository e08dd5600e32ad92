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
 * Ten connections send requests back to back for `seconds`, at most `max` in all. The tokens take turns because each has its own request
 * limit. Throws on any status other than 200, because a refusal would count as a fast answer.
 */
export async function runLoad(
  url: string,
  tokens: readonly string[],
  seconds: number,
  request: (n: number) => LoadRequest,
  max = Infinity,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const times: number[] = []
  let n = 0
  const start = performance.now()
  const fim = start + seconds * 1000
  const connection = async (): Promise<void> => {
    while (performance.now() < fim && n < max) {
      const vez = n
      n += 1
      const before = performance.now()
      await sendRequest(agent, url, tokens[vez % tokens.length] ?? '', request(vez))
      times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  agent.destroy()
  return { timesMs: times, seconds: (performance.now() - start) / 1000 }
}

function sendRequest(
  agent: Agent,
  url: string,
  token: string,
  { method: metodo, path, body }: LoadRequest,
): Promise<void> {
  const text = body === undefined ? '' : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const pedido = request(
      `${url}/api${path}`,
      {
        agent,
        method: metodo,
        headers: {
          authorization: `Bearer ${token}`,
          ...(text === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
        },
      },
      (reply) => {
        reply.resume()
        reply.once('error', reject)
        reply.once('end', () => {
          if (reply.statusCode === 200) resolve()
          else reject(new Error(`unexpected status: ${metodo} ${path} → ${reply.statusCode}`))
        })
      },
    )
    pedido.once('error', reject)
    pedido.end(text)
  })
}
