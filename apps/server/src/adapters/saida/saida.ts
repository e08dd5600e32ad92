import { lookup as resolverDoSistema, type LookupAddress } from 'node:dns'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pedir, SaidaRecusada } from './pedir.ts'
import { redeDe } from './redes.ts'

export interface SaidaOptions {
  /** Origins that the program names, such as `https://graph.facebook.com`: on the internet and nowhere else. */
  readonly doPrograma: readonly string[]
  /** Origins that the environment names. Whoever runs the server may keep a proxy inside their own network. */
  readonly doAmbiente?: readonly string[]
  /** Every host below this one too, over https: `whatsapp.net`. */
  readonly abaixoDe?: string
  /** No answer may be longer, whatever its reader allows. */
  readonly maximoBytes: number
  /** From the first byte out to the last one in; fifteen seconds by default. Files may need longer. */
  readonly prazoMs?: number
  /** Who turns names into addresses; the system by default. */
  readonly resolver?: Resolver
}

export type Resolver = (
  nome: string,
  opcoes: { readonly all: true },
  devolver: (erro: NodeJS.ErrnoException | null, achados: LookupAddress[]) => void,
) => void

/** A `fetch` that leads where it may. A redirect is a failure, or comes back as it is where `redirect` is `manual`. */
export type Saida = (url: string | URL, init?: RequestInit) => Promise<Response>

const PRAZO_MS = 15_000
/** Idle lines are closed before the other side closes them. */
const OCIOSA_MS = 4_000

/**
 * The one door for calls to others: known origins alone, no redirects, fifteen seconds, an answer with an end. A name is resolved
 * once, and the line goes to the very addresses that were looked at: a name that leads into a private network, or to a
 * cloud's metadata, is refused, whoever answers for it and however often it changes its mind. Like `fetch`, it throws a
 * `TypeError` whose cause says what happened to the line.
 */
export function createSaida(options: SaidaOptions): Saida {
  const { doPrograma, doAmbiente = [], abaixoDe, maximoBytes, prazoMs = PRAZO_MS } = options
  const { resolver = resolverDoSistema } = options
  const origens = new Set([...doPrograma, ...doAmbiente].map((endereco) => new URL(endereco).origin))
  const nossas = new Set(doAmbiente.map((endereco) => new URL(endereco).hostname))

  const permitida = ({ origin, protocol, port, hostname }: URL): boolean =>
    origens.has(origin) ||
    (abaixoDe !== undefined && hostname.endsWith(`.${abaixoDe}`) && protocol === 'https:' && port === '')

  const lookup: LookupFunction = (nome, opcoes, devolver) =>
    resolver(nome, { ...opcoes, all: true }, (erro, achados) => {
      if (erro !== null) return devolver(erro, [])
      const proibido = achados.find(({ address }) => !podeLigar(address, nossas.has(nome)))
      if (proibido !== undefined) return devolver(new SaidaRecusada(`${nome} leads to ${proibido.address}`), [])
      if (opcoes.all === true) return devolver(null, achados)
      const [primeiro] = achados
      devolver(null, primeiro?.address ?? '', primeiro?.family)
    })

  const linhas = { keepAlive: true, timeout: OCIOSA_MS, lookup }
  const agentes = { 'http:': new HttpAgent(linhas), 'https:': new HttpsAgent(linhas) }

  return async (url, init = {}) => {
    const destino = new URL(url)
    if (!permitida(destino))
      throw new TypeError('fetch failed', { cause: new SaidaRecusada(`no way to ${destino.origin}`) })
    const agente = destino.protocol === 'http:' ? agentes['http:'] : agentes['https:']
    return pedir(destino, init, { agente, maximoBytes, prazoMs })
  }
}

/** Addresses of the house are for what its people named; link-local ones for nobody, unless written out as an address. */
function podeLigar(endereco: string, nossa: boolean): boolean {
  const rede = redeDe(endereco)
  return rede === 'internet' || (rede === 'interna' && nossa)
}
