import * as z from 'zod/mini'

/**
 * Reasons of a failed call. `incerta`: Meta may have done it. `rede`: the request never reached Meta. `devagar`:
 * rate limit, wait `waitMs`. `credenciais`, `bloqueada`: a person has to act.
 */
export type MetaFailureType = 'incerta' | 'rede' | 'instavel' | 'devagar' | 'credenciais' | 'bloqueada' | 'recusada'

export class MetaFailure extends Error {
  readonly tipo: MetaFailureType
  readonly code: number | null
  readonly waitMs: number
  readonly recipientOnly: boolean

  constructor(
    tipo: MetaFailureType,
    detail: string,
    { code = null, waitMs = 0 }: { code?: number | null; waitMs?: number } = {},
  ) {
    super(detail)
    this.name = 'MetaFailure'
    this.tipo = tipo
    this.code = code
    this.waitMs = waitMs
    this.recipientOnly = code === PAIR_RATE_CODE
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
  const code = parsed.success ? parsed.data.error.code : null
  const detail = `${status}, código ${code ?? 'nenhum'}`
  return new MetaFailure(failureType(status, code), detail, { code, waitMs: waitFor(code, retryAfter) })
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

const META_ERROR_TEXTS: Readonly<Record<number, string>> = {
  131047:
    'Já se passaram mais de 24 horas desde a última mensagem deste cliente. Para falar com ele, envie um modelo de mensagem aprovado.',
  131026:
    'O WhatsApp não conseguiu entregar. O número pode não ter WhatsApp ou estar com o aplicativo desatualizado: confirme o número com o cliente.',
  131021: 'Este é o número da própria empresa. Escolha outro destinatário.',
  131030: 'A conta da Meta ainda está em teste e este número não está na lista de testes. Inclua-o no painel da Meta.',
  131037: 'O nome da empresa ainda não foi aprovado pela Meta. Confira no Gerenciador do WhatsApp.',
  131042: 'Há um problema de pagamento na conta da Meta. Confira a forma de pagamento no Gerenciador do WhatsApp.',
  131045: 'O número ainda não foi registrado na API oficial. Registre-o no painel da Meta.',
  133010: 'O número ainda não foi registrado na API oficial. Registre-o no painel da Meta.',
  131048:
    'A Meta limitou os envios deste número por queixas de clientes. Confira a qualidade dele no Gerenciador do WhatsApp.',
  131049: 'A Meta preferiu não entregar esta mensagem de divulgação agora. Tente de novo em outro dia.',
  131050: 'Este cliente pediu para não receber mensagens de divulgação.',
  131051: 'O WhatsApp não aceita este tipo de mensagem.',
  131052: 'O WhatsApp não conseguiu abrir o arquivo. Envie-o de novo.',
  131053: 'O WhatsApp não aceitou o arquivo. Envie imagem em JPG ou PNG, áudio em MP3, M4A ou OGG, ou um PDF.',
  130472: 'A Meta não entregou esta mensagem a este cliente. Espere que ele escreva.',
  130497: 'A conta da Meta não pode enviar mensagens para este país.',
  132000: 'Faltam ou sobram dados para este modelo de mensagem. Confira-os e envie de novo.',
  132001: 'Este modelo de mensagem não existe mais ou não tem esta tradução. Escolha outro.',
  132005: 'O texto ficou longo demais para este modelo de mensagem.',
  132007: 'O conteúdo não segue as regras da Meta para este modelo de mensagem.',
  132012: 'Um dos dados não tem o formato que este modelo de mensagem pede.',
  132015: 'A Meta pausou este modelo de mensagem por baixa qualidade. Escolha outro.',
  132016: 'A Meta desativou este modelo de mensagem. Escolha outro.',
}

export function metaErrorText(code: number | null): string {
  if (code === null) return 'O WhatsApp recusou a mensagem.'
  return META_ERROR_TEXTS[code] ?? `O WhatsApp recusou a mensagem (código ${code}).`
}
