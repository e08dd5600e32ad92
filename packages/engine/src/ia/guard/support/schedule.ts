import { DIAS, type Dia } from '@balcao/contract/constants'
import type { Intervalo } from '@balcao/contract/entities/config'
import { intervalsOn, localMinuteAt, minutesOf, shiftDay, WEEKDAY_NAMES } from '#rules/horario.ts'
import { formatLocalDate } from '#rules/local-format.ts'
import type { Claim } from '../types.ts'
import { isNegated } from '../claims/promises.ts'
import type { Support } from './facts.ts'
import { isIn, type Scope, sentenceAt, type Span } from './scope.ts'

/** Days and times of an answer against the hours of the shop. */

interface Day {
  readonly dia: Dia
  /** Null: the weekday in general. */
  readonly data: string | null
}

interface DayGroup {
  readonly start: number
  readonly end: number
  readonly days: readonly Day[]
}

const PHRASES =
  /(?<![a-z])(?:hoje|todos os dias|todo dia|diariamente|dias? ute?is|dias? de semana|(?:fim|fins|final|finais) de semana)(?![a-z])/g
const RANGE = /^\s*(?:-feiras?)?\s*(?:a|ate|-)\s*(?:a )?$/
/** Between days of one group: 'segunda, terça e quarta'. */
const JOINED = /^\s*(?:-feiras?)?\s*(?:(?:[,/(-]|e|a|as|aos?|ate|ou|n[oa]s?|de|tambem)\s*)*$/
const CLOSED =
  /(?<![a-z])(?:nao (?:[a-z]+ ){0,2}?(?:abr|atend|func|trabalh|est|temos exp|temos atend|tem exp|tem atend|ha atend|ha exp)|fechad|folga|sem (?:atend|exped|func)|fech(?:amos|am|a)(?![a-z])(?! (?:as|ao meio|a meia)))/g
const OPEN =
  /(?<![a-z])(?:abr(?:e|imos|em|ir|iremos)|abert|atend|func|passar|venha|vir|retir|busc|visit|horario|loja fis|expediente|te esper|esperamos)/g
const DEADLINE =
  /(?<![a-z])(?:entreg|cheg|pront|envi|despach|retorn|respond|prazo|valid|promoc|desconto|oferta|agend|reserv|lancamento|pag(?:a|ue|amento)|vence)/
const CLAUSE =
  /[,;()\n]|(?<![a-z])e (?=(?:domingo|sabado|segunda|terca|quarta|quinta|sexta)s?(?:-feiras?)? (?:nao|fech|abr|func|atend|est|fica|das))|(?<![a-z])mas(?![a-z])|(?<![a-z])e (?=(?:nao|fech|abr|func|atend|estamos|aos?|n[oa]s?|so))/g
const ENDS = /(?<![a-z])(?:ate|(?:fech|encerr|termin)[a-z]*)(?![a-z])[a-z ]{0,12}$/
const STARTS = /(?<![a-z])(?:das|de|desde|(?:abr|inici|comec|partir)[a-z]*)(?![a-z])[a-z ]{0,12}$/

export function supportSchedule(scope: Scope, claim: Claim): Support | null {
  const sentence = sentenceAt(scope, claim.start)
  return claim.kind === 'hora' ? supportTime(scope, claim, sentence) : supportDay(scope, claim, sentence)
}

function supportTime(scope: Scope, claim: Claim, sentence: Span): Support | null {
  const { horario } = scope.evidence.contexto.config.atendimento
  const now = localMinuteAt(scope.evidence.agora, horario.fuso)
  const before = scope.text.folded.slice(sentence.start, claim.start)
  if (claim.keys.includes(`t:${now.minuto}`) && /(?<![a-z])(?:agora|sao|neste momento)(?![a-z])/.test(before))
    return hoursSupport(horarioText(scope, { dia: now.dia, data: now.data }))
  const role =
    ENDS.test(before) || isRangeEnd(scope, claim)
      ? 'fim'
      : STARTS.test(before) || isRangeStart(scope, claim)
        ? 'inicio'
        : null
  const fits = (day: Day): boolean => hasBoundary(intervalsOf(scope, day), claim.keys, role)
  const days = daysOfTime(scope, claim, sentence)
  if (days !== null) return days.length > 0 && days.every(fits) ? hoursSupport(horarioText(scope, days[0])) : null
  const any = [
    ...DIAS.map((dia): Day => ({ dia, data: null })),
    ...horario.excecoes.map(({ data }) => dayOf(data)),
  ].find(fits)
  return any === undefined ? null : hoursSupport(horarioText(scope, any))
}

const hoursSupport = (trecho: string): Support => ({ tipo: 'horario', trecho })

function isRangeEnd({ claims, text }: Scope, claim: Claim): boolean {
  const before = claims[claims.indexOf(claim) - 1]
  return (
    before?.kind === 'hora' &&
    /^\s*(?:as|a|ate|ate as|-|e|ao|ate o)\s*(?:as )?$/.test(text.folded.slice(before.end, claim.start))
  )
}

function isRangeStart(scope: Scope, claim: Claim): boolean {
  const next = scope.claims[scope.claims.indexOf(claim) + 1]
  return next?.kind === 'hora' && isRangeEnd(scope, next)
}

function hasBoundary(intervals: readonly Intervalo[], keys: readonly string[], role: 'inicio' | 'fim' | null): boolean {
  return intervals.some(({ inicio, fim }) => {
    const bounds = [
      ...(role === 'fim' ? [] : [minutesOf(inicio)]),
      ...(role === 'inicio' ? [] : [minutesOf(fim), minutesOf(fim) % 1440]),
    ]
    return bounds.some((bound) => keys.includes(`t:${bound}`))
  })
}

function intervalsOf({ evidence }: Scope, { dia, data }: Day): readonly Intervalo[] {
  const { horario } = evidence.contexto.config.atendimento
  return data === null ? horario.dias[dia] : intervalsOn(horario, data, dia)
}

function horarioText(scope: Scope, day: Day | undefined): string {
  if (day === undefined) return 'Horário de atendimento'
  const times = intervalsOf(scope, day).map(({ inicio, fim }) => `das ${inicio} às ${fim}`)
  const label = day.data === null ? WEEKDAY_NAMES[day.dia] : `${WEEKDAY_NAMES[day.dia]}, ${formatLocalDate(day.data)}`
  return `${label}: ${times.length === 0 ? 'fechado' : times.join(' e ')}`
}

/** The days of the nearest group before the time, or of the first behind it when the sentence begins with times. */
function daysOfTime(scope: Scope, claim: Claim, sentence: Span): readonly Day[] | null {
  const groups = dayGroups(scope, sentence)
  const first = groups[0]
  if (first === undefined) return null
  const times = scope.claims.filter((other) => other.kind === 'hora' && isIn(other, sentence))
  const isReversed = (times[0]?.start ?? Infinity) < first.start
  const group = isReversed
    ? groups.find(({ start }) => start >= claim.end)
    : groups.findLast(({ end }) => end <= claim.start)
  return (group ?? first).days
}

/** Days with only a comma or a link between them are one group. */
function dayGroups(scope: Scope, sentence: Span): readonly DayGroup[] {
  const groups: DayGroup[] = []
  for (const item of namedDays(scope, sentence)) {
    const last = groups.at(-1)
    const gap = last === undefined ? '' : scope.text.folded.slice(last.end, item.start)
    const isApart = last === undefined || !JOINED.test(gap)
    if (isApart) groups.push(item)
    else
      groups.splice(-1, 1, {
        ...last,
        end: item.end,
        days: [...last.days, ...(RANGE.test(gap) ? between(last.days.at(-1), item.days[0]) : []), ...item.days],
      })
  }
  return groups
}

function between(first: Day | undefined, last: Day | undefined): Day[] {
  if (first === undefined || last === undefined || first.data !== null || last.data !== null) return []
  const days: Day[] = []
  for (let at = (DIAS.indexOf(first.dia) + 1) % 7; at !== DIAS.indexOf(last.dia); at = (at + 1) % 7)
    days.push({ dia: DIAS[at] ?? 'dom', data: null })
  return days
}

function namedDays(scope: Scope, sentence: Span): readonly DayGroup[] {
  const claims = scope.claims.filter((claim) => claim.kind === 'data' && isIn(claim, sentence))
  const named = claims.map(({ start, end, keys }) => ({ start, end, days: resolveDays(scope, keys) }))
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  const phrases = [...text.matchAll(PHRASES)].map(({ 0: phrase, index }) => ({
    start: sentence.start + index,
    end: sentence.start + index + phrase.length,
    days: phraseDays(scope, phrase),
  }))
  return [...named, ...phrases].toSorted((a, b) => a.start - b.start)
}

function phraseDays({ evidence }: Scope, phrase: string): readonly Day[] {
  const { data } = localMinuteAt(evidence.agora, evidence.contexto.config.atendimento.horario.fuso)
  if (phrase === 'hoje') return [dayOf(data)]
  const all = DIAS.map((dia): Day => ({ dia, data: null }))
  if (/^d.*semana/.test(phrase)) return all.filter(({ dia }) => dia !== 'sab' && dia !== 'dom')
  if (phrase.includes('semana')) return all.filter(({ dia }) => dia === 'sab' || dia === 'dom')
  return phrase.includes('ut') ? all.filter(({ dia }) => dia !== 'sab' && dia !== 'dom') : all
}

const dayOf = (data: string): Day => ({ data, dia: DIAS[new Date(`${data}T00:00:00Z`).getUTCDay()] ?? 'dom' })

/** The days that a claim means, from the local today on. */
export function resolveDays({ evidence }: Scope, keys: readonly string[]): readonly Day[] {
  const today = localMinuteAt(evidence.agora, evidence.contexto.config.atendimento.horario.fuso).data
  return keys.flatMap((key): Day[] => {
    const [kind = '', value = '', year] = key.split(':')
    if (kind === 'w') return DIAS.filter((dia) => dia === value).map((dia) => ({ dia, data: null }))
    if (kind === 'r') return [dayOf(shiftDay(today, Number(value)).data)]
    if (kind === 'dn') return [nextDate(today, (data) => Number(data.slice(8)) === Number(value))]
    const [month, date] = value.split('-').map(Number)
    const fits = (data: string): boolean => Number(data.slice(5, 7)) === month && Number(data.slice(8)) === date
    const next = nextDate(today, fits)
    return year === undefined || next.data?.startsWith(year) === true ? [next] : []
  })
}

function nextDate(today: string, fits: (data: string) => boolean): Day {
  for (let days = 0; days <= 366; days += 1) {
    const { data } = shiftDay(today, days)
    if (fits(data)) return dayOf(data)
  }
  return dayOf(today)
}

function supportDay(scope: Scope, claim: Claim, sentence: Span): Support | null {
  const days = resolveDays(scope, claim.keys)
  if (days.length === 0) return null
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  const { data } = localMinuteAt(scope.evidence.agora, scope.evidence.contexto.config.atendimento.horario.fuso)
  const [day] = days
  if (/(?<![a-z])hoje (?:e|sera)(?![a-z])/.test(text) && day !== undefined) {
    const today = dayOf(data)
    return day.dia === today.dia && (day.data === null || day.data === data)
      ? hoursSupport(`Hoje é ${WEEKDAY_NAMES[today.dia]}`)
      : null
  }
  const meaning = meaningAt(scope, claim, sentence)
  if (meaning === null) return null
  const isOpen = days.every((one) => intervalsOf(scope, one).length > 0)
  const isClosed = days.every((one) => intervalsOf(scope, one).length === 0)
  return (meaning === 'aberto' ? isOpen : isClosed) ? hoursSupport(horarioText(scope, day)) : null
}

/** 'Não temos promoção na quinta' and 'Pode ser na quinta?' promise nothing. */
export function promisesNothing(scope: Scope, claim: Claim): boolean {
  if (claim.kind !== 'data') return false
  const sentence = sentenceAt(scope, claim.start)
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  if (text.trimEnd().endsWith('?')) return true
  const clause = clauseAround(text, claim.start - sentence.start)
  const words = text.slice(clause.start, clause.end)
  return DEADLINE.test(words) && isNegated(words)
}

/** Finds the meaning of a day in its clause, else in the words before it, else in those behind it. */
function meaningAt(scope: Scope, claim: Claim, sentence: Span): 'aberto' | 'fechado' | null {
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  const at = claim.start - sentence.start
  const clause = clauseAround(text, at)
  const signs = [...signsIn(text), ...timesIn(scope, sentence)].toSorted((a, b) => a.at - b.at)
  const inClause = signs.filter((sign) => sign.at >= clause.start && sign.at < clause.end)
  const nearest = inClause.toSorted((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))[0]
  const found = nearest ?? signs.findLast((sign) => sign.at < at) ?? signs[0]
  const isDeadline = DEADLINE.test(text.slice(clause.start, clause.end))
  if (isDeadline && nearest === undefined) return null
  return found?.means ?? (DEADLINE.test(text) ? null : 'aberto')
}

interface Sign {
  readonly at: number
  readonly means: 'aberto' | 'fechado'
}

function signsIn(text: string): readonly Sign[] {
  const closed = [...text.matchAll(CLOSED)].map(({ 0: words, index }) => ({
    at: index,
    end: index + words.length,
    means: 'fechado' as const,
  }))
  const open = [...text.matchAll(OPEN)].map(({ index }) => ({ at: index, means: 'aberto' as const }))
  return [...closed, ...open.filter(({ at }) => closed.every((sign) => at < sign.at || at >= sign.end))]
}

const timesIn = ({ claims }: Scope, sentence: Span): readonly Sign[] =>
  claims
    .filter((claim) => claim.kind === 'hora' && isIn(claim, sentence))
    .map(({ start }) => ({ at: start - sentence.start, means: 'aberto' }))

function clauseAround(text: string, at: number): Span {
  const ends = [...text.matchAll(CLAUSE)].map(({ index }) => index)
  return { start: ends.findLast((end) => end <= at) ?? 0, end: ends.find((end) => end > at) ?? text.length }
}
