import { Agent, request } from 'node:http'

export interface Pedido {
  readonly metodo: 'GET' | 'POST'
  readonly caminho: string
  readonly corpo?: object
}

interface Resultado {
  readonly tempos: number[]
  readonly segundos: number
}

const CONEXOES = 10

/**
 * Ten connections send requests back to back for `segundos`. The tokens take turns because each has its own request
 * limit. Throws on any status other than 200, because a refusal would count as a fast answer.
 */
export async function carregar(
  url: string,
  tokens: readonly string[],
  segundos: number,
  pedido: (n: number) => Pedido,
): Promise<Resultado> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONEXOES })
  const tempos: number[] = []
  let n = 0
  const inicio = performance.now()
  const fim = inicio + segundos * 1000
  const conexao = async (): Promise<void> => {
    while (performance.now() < fim) {
      const vez = n
      n += 1
      const antes = performance.now()
      await perguntar(agent, url, tokens[vez % tokens.length] ?? '', pedido(vez))
      tempos.push(performance.now() - antes)
    }
  }
  await Promise.all(Array.from({ length: CONEXOES }, conexao))
  agent.destroy()
  return { tempos, segundos: (performance.now() - inicio) / 1000 }
}

function perguntar(agent: Agent, url: string, token: string, { metodo, caminho, corpo }: Pedido): Promise<void> {
  const texto = corpo === undefined ? '' : JSON.stringify(corpo)
  return new Promise((resolve, reject) => {
    const pedido = request(
      `${url}/api${caminho}`,
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
          else reject(new Error(`unexpected status: ${metodo} ${caminho} → ${resposta.statusCode}`))
        })
      },
    )
    pedido.once('error', reject)
    pedido.end(texto)
  })
}
