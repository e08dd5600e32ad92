import * as z from 'zod/mini'

/**
 * Reasons of a failed call. `incerta`: Meta may have done it. `rede`: the request never reached Meta. `devagar`:
 * rate limit, wait `esperaMs`. `credenciais`, `bloqueada`: a person has to act.
 */
export type TipoFalha = 'incerta' | 'rede' | 'instavel' | 'devagar' | 'credenciais' | 'bloqueada' | 'recusada'

export class FalhaMeta extends Error {
  readonly tipo: TipoFalha
  readonly codigo: number | null
  readonly esperaMs: number
  /** The rate limit applies only to this recipient. */
  readonly soDeste: boolean

  constructor(
    tipo: TipoFalha,
    detalhe: string,
    { codigo = null, esperaMs = 0 }: { codigo?: number | null; esperaMs?: number } = {},
  ) {
    super(detalhe)
    this.name = 'FalhaMeta'
    this.tipo = tipo
    this.codigo = codigo
    this.esperaMs = esperaMs
    this.soDeste = codigo === POR_PAR
  }
}

const POR_PAR = 131056
const CREDENCIAIS: ReadonlySet<number> = new Set([0, 3, 10, 102, 190, 131005])
const BLOQUEADA: ReadonlySet<number> = new Set([368, 131031])
/**
 * Rate-limit codes with their usual wait in ms: throughput, this recipient, the app's and the business's hourly
 * limits.
 */
const DEVAGAR: ReadonlyMap<number, number> = new Map([
  [130429, 5_000],
  [POR_PAR, 10_000],
  [4, 60_000],
  [613, 60_000],
  [80007, 60_000],
  [80008, 60_000],
])
const INSTAVEL: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 131057, 133004])
const ESPERA_MAXIMA_MS = 10 * 60_000

const erroSchema = z.object({ error: z.object({ code: z.number() }) })

export interface RespostaRuim {
  readonly status: number
  readonly corpo: unknown
  readonly retryAfter: string | null
}

/**
 * Maps an error response. A 5xx without Meta's error code may come from a gateway after Meta has already done the
 * work.
 */
export function falhaDe({ status, corpo, retryAfter }: RespostaRuim): FalhaMeta {
  const lido = erroSchema.safeParse(corpo)
  const codigo = lido.success ? lido.data.error.code : null
  const dados = { codigo, esperaMs: esperaDe(codigo, retryAfter) }
  return new FalhaMeta(tipoDe(status, codigo), `${status}, código ${codigo ?? 'nenhum'}`, dados)
}

function tipoDe(status: number, codigo: number | null): TipoFalha {
  if (codigo === null) return status === 401 ? 'credenciais' : status === 429 ? 'devagar' : semCodigo(status)
  if (DEVAGAR.has(codigo) || status === 429) return 'devagar'
  if (CREDENCIAIS.has(codigo) || (codigo >= 200 && codigo < 300)) return 'credenciais'
  if (BLOQUEADA.has(codigo)) return 'bloqueada'
  return INSTAVEL.has(codigo) ? 'instavel' : 'recusada'
}

const semCodigo = (status: number): TipoFalha => (status >= 500 || status === 408 ? 'incerta' : 'recusada')

function esperaDe(codigo: number | null, retryAfter: string | null): number {
  const pedida = Number(retryAfter ?? Number.NaN) * 1_000
  const usual = DEVAGAR.get(codigo ?? 0) ?? 5_000
  return Math.min(Number.isFinite(pedida) && pedida > 0 ? pedida : usual, ESPERA_MAXIMA_MS)
}
