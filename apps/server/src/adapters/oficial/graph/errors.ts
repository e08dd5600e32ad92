import * as z from 'zod/mini'

/**
 * Reasons of a failed call. `incerta`: Meta may have done it. `rede`: the request never reached Meta. `devagar`:
 * rate limit, wait `esperaMs`. `credenciais`, `bloqueada`: a person has to act.
 */
export type MetaFailureType = 'incerta' | 'rede' | 'instavel' | 'devagar' | 'credenciais' | 'bloqueada' | 'recusada'

export class MetaFailure extends Error {
  readonly tipo: MetaFailureType
  readonly code: number | null
  readonly waitMs: number
  /** The rate limit applies only to this recipient. */
  readonly recipientOnly: boolean

  constructor(
    tipo: MetaFailureType,
    detail: string,
    { codigo = null, esperaMs = 0 }: { codigo?: number | null; esperaMs?: number } = {},
  ) {
    super(detail)
    this.name = 'FalhaMeta'
    this.tipo = tipo
    this.code = codigo
    this.waitMs = esperaMs
    this.recipientOnly = codigo === PAIR_RATE_CODE
  }
}

const PAIR_RATE_CODE = 131056
const CREDENTIAL_CODES: ReadonlySet<number> = new Set([0, 3, 10, 102, 190, 131005])
const BLOCKED_CODES: ReadonlySet<number> = new Set([368, 131031])
/**
 * Rate-limit codes with their usual wait in ms: throughput, this recipient, the app's and the business's hourly
 * limits.
 */
const RATE_LIMIT_CODES: ReadonlyMap<number, number> = new Map([
  [130429, 5_000],
  [PAIR_RATE_CODE, 10_000],
  [4, 60_000],
  [613, 60_000],
  [80007, 60_000],
  [80008, 60_000],
])
const UNSTABLE_CODES: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 131057, 133004])
const WAIT_MAX_MS = 10 * 60_000

const metaErrorSchema = z.object({ error: z.object({ code: z.number() }) })

export interface ErrorResponse {
  readonly status: number
  readonly body: unknown
  readonly retryAfter: string | null
}

/**
 * Maps an error response. A 5xx without Meta's error code may come from a gateway after Meta has already done the
 * work.
 */
export function toMetaFailure({ status, body, retryAfter }: ErrorResponse): MetaFailure {
  const parsed = metaErrorSchema.safeParse(body)
  const codigo = parsed.success ? parsed.data.error.code : null
  const dados = { codigo, esperaMs: waitFor(codigo, retryAfter) }
  return new MetaFailure(failureType(status, codigo), `${status}, código ${codigo ?? 'nenhum'}`, dados)
}

function failureType(status: number, code: number | null): MetaFailureType {
  if (code === null) return status === 401 ? 'credenciais' : status === 429 ? 'devagar' : typeWithoutCode(status)
  if (RATE_LIMIT_CODES.has(code) || status === 429) return 'devagar'
  if (CREDENTIAL_CODES.has(code) || (code >= 200 && code < 300)) return 'credenciais'
  if (BLOCKED_CODES.has(code)) return 'bloqueada'
  return UNSTABLE_CODES.has(code) ? 'instavel' : 'recusada'
}

const typeWithoutCode = (status: number): MetaFailureType => (status >= 500 || status === 408 ? 'incerta' : 'recusada')

function waitFor(code: number | null, retryAfter: string | null): number {
  const requested = Number(retryAfter ?? Number.NaN) * 1_000
  const usual = RATE_LIMIT_CODES.get(code ?? 0) ?? 5_000
  return Math.min(Number.isFinite(requested) && requested > 0 ? requested : usual, WAIT_MAX_MS)
}
