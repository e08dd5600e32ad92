import type { Config } from '@balcao/contract/entities/config'
import { formatLocalDate } from '#rules/local-format.ts'
import { intervalsOn, localMinuteAt, minutesOf, shiftDay } from '#rules/horario.ts'

type Rules = Pick<Config['atendimento'], 'horario' | 'resumoDiario'>

/** Figures of one local day. Times in ms, null without data. */
export interface DaySummary {
  /** `AAAA-MM-DD`. */
  readonly dia: string
  /** Customers who wrote, also those whom only the bot served. */
  readonly escreveram: number
  /** Conversas that were handed over to people. */
  readonly conversas: number
  readonly semResposta: number
  readonly medianaMs: number | null
  readonly avaliacoes: number
  readonly notaMedia: number | null
  readonly maisEsperou: { readonly nome: string; readonly ms: number } | null
}

export type SummaryPlan =
  | { readonly tipo: 'enviar'; readonly dia: string }
  /** The day has its summary, or the hour of today is still to come. */
  | { readonly tipo: 'esperar' }

/**
 * Decides about a due summary at an instant (ms). It reports the local day before, also when it is late. `ultimoDia` is
 * the last day that was handled.
 */
export function planSummary(
  { horario: { fuso }, resumoDiario }: Rules,
  ultimoDia: string | null,
  now: number,
): SummaryPlan {
  const { data, minuto } = localMinuteAt(now, fuso)
  const dia = shiftDay(data, -1).data
  const isEarly = minuto < minutesOf(resumoDiario.hora)
  return isEarly || (ultimoDia ?? '') >= dia ? { tipo: 'esperar' } : { tipo: 'enviar', dia }
}

/** The next instant (ms) after `now` with this local time. Null while the summary is off. */
export function nextSummaryAt({ horario: { fuso }, resumoDiario }: Rules, now: number): number | null {
  if (!resumoDiario.ativo) return null
  const { data } = localMinuteAt(now, fuso)
  const wanted = minutesOf(resumoDiario.hora)
  for (const days of [0, 1, 2]) {
    const at = instantOf(shiftDay(data, days).data, wanted, fuso)
    if (at > now) return at
  }
  return null
}

/** A local time that the clocks skip becomes a later one of that day. */
function instantOf(date: string, minute: number, fuso: string): number {
  const wanted = Date.parse(`${date}T00:00:00Z`) + minute * 60_000
  const errorAt = (at: number): number => {
    const local = localMinuteAt(at, fuso)
    return wanted - Date.parse(`${local.data}T00:00:00Z`) - local.minuto * 60_000
  }
  const guess = wanted + errorAt(wanted)
  // Clocks may change between the guess and the time.
  const at = guess + errorAt(guess)
  return at + Math.max(0, errorAt(at))
}

/** False when the shop was closed and no customer wrote. */
export function isSummaryNeeded(
  { horario }: Pick<Rules, 'horario'>,
  { dia, escreveram, conversas }: DaySummary,
): boolean {
  if (escreveram + conversas > 0) return true
  return intervalsOn(horario, dia, shiftDay(dia, 0).dia).length > 0
}

const NAME_MAX = 40

/** The message to the owner, in WhatsApp's format. */
export function summaryText(day: DaySummary): string {
  const { dia, escreveram, conversas, semResposta, medianaMs, avaliacoes, notaMedia, maisEsperou } = day
  const title = `☀️ *Ontem na sua loja* (${formatLocalDate(dia).slice(0, 5)})`
  if (conversas === 0) return [title, botText(escreveram), ...ratingLine(avaliacoes, notaMedia)].join('\n')
  const lines = [
    title,
    `👥 Clientes atendidos por pessoas: ${conversas}`,
    medianaMs === null ? '⏳ Ninguém foi respondido' : `⏳ Metade esperou até ${waitText(medianaMs)}`,
    semResposta === 0 ? '✅ Ninguém ficou sem resposta' : `🔕 Sem resposta: ${semResposta}`,
    ...ratingLine(avaliacoes, notaMedia),
  ]
  if (maisEsperou !== null)
    lines.push(`🐢 Quem mais esperou: ${shortName(maisEsperou.nome)} (${waitText(maisEsperou.ms)})`)
  return lines.join('\n')
}

function botText(escreveram: number): string {
  if (escreveram === 0) return 'Ninguém escreveu.'
  return escreveram === 1
    ? '🤖 O bot atendeu um cliente, que não pediu uma pessoa.'
    : `🤖 O bot atendeu ${escreveram} clientes, e nenhum pediu uma pessoa.`
}

function ratingLine(avaliacoes: number, notaMedia: number | null): string[] {
  if (notaMedia === null) return []
  const nota = notaMedia.toFixed(1).replace('.', ',')
  return [`⭐ Nota: ${nota} (${avaliacoes === 1 ? '1 avaliação' : `${avaliacoes} avaliações`})`]
}

/** Braces would be read as placeholders. */
function shortName(nome: string): string {
  const clean = nome
    .slice(0, 200)
    .replaceAll(/[{}\s]+/g, ' ')
    .trim()
  return clean.length > NAME_MAX ? `${clean.slice(0, NAME_MAX)}…` : clean
}

function waitText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'menos de 1 min'
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}
