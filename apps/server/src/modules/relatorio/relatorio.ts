import { SETOR_GERAL } from '@balcao/contract/conversa-access'
import { type Relatorio, WAIT_CLASSES_MIN } from '@balcao/contract/entities/relatorio'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { limitSearch } from '#http/page.ts'
import { listUsuarioNames } from '#modules/contas/index.ts'
import {
  type ContaReader,
  countScheduledSent,
  countServed,
  GROUPING,
  type NumbersRow,
  readNumbers,
  readToday,
  readTotal,
  type ReportSpan,
  type TotalRow,
} from './numbers.ts'
import { readSales } from './sales.ts'

type ReportNumbers = Relatorio['total']

const NO_NUMBERS: ReportNumbers = {
  conversas: 0,
  finalizadas: 0,
  primeiraRespostaMs: null,
  resolucaoMs: null,
  avaliacoes: 0,
  notaMedia: null,
  semResposta: 0,
  espera: { media: null, mediana: null, p90: null },
}

interface ReportRequest {
  readonly de?: string | undefined
  readonly ate?: string | undefined
  readonly linha?: string | undefined
  readonly agora: Date
  /** The reader may know what the shop sold. */
  readonly vendas: boolean
}

const SLOW_REPORT = 'O relatório demorou demais. Escolha um período menor.'

export async function readRelatorio(
  tx: Tx,
  reader: ContaReader,
  { agora, linha, vendas, ...days }: ReportRequest,
): Promise<Relatorio> {
  const { contaId } = reader
  const { fuso, hoje } = await readToday(tx, contaId, agora)
  const period = parsePeriod(days, hoje)
  const span = { de: period.de, ateFora: addDays(period.ate, 1), fuso, linha }
  const before = { de: addDays(period.de, -countDays(period)), ateFora: period.de, fuso, linha }
  const { lines, earlier, sales } = await limitSearch(tx, SLOW_REPORT, async () => ({
    lines: await readNumbers(tx, reader, span),
    earlier: await readTotal(tx, reader, before),
    sales: vendas ? await readSales(tx, { contaId, ...span }, { contaId, ...before }) : null,
  }))
  const de = (group: number): NumbersRow[] =>
    lines.filter((line) => line.grupo === group).toSorted((a, b) => b.conversas - a.conversas)

  const [total] = de(GROUPING.total)
  const byDay = new Map(de(GROUPING.dia).map((line) => [line.dia, toReportNumbers(line)]))
  return {
    ...period,
    total: total === undefined ? NO_NUMBERS : toReportNumbers(total),
    anterior: earlier === null ? NO_NUMBERS : toReportNumbers(earlier),
    encerradasPorSilencio: total?.silenciosas ?? 0,
    agendadasEnviadas: await countScheduledSent(tx, reader, span),
    dias: daysOf(period).map((dia) => ({ dia, ...(byDay.get(dia) ?? NO_NUMBERS) })),
    setores: de(GROUPING.setor).map(({ setor, ...line }) => ({
      setor: setor ?? SETOR_GERAL,
      ...toReportNumbers(line),
    })),
    operadores: await addOperadores(tx, reader, span, de(GROUPING.operador)),
    horas: de(GROUPING.hora)
      .flatMap(({ hora, ...line }) => (hora === null ? [] : [{ hora, ...toReportNumbers(line) }]))
      .toSorted((a, b) => a.hora - b.hora),
    mapa: de(GROUPING.mapa).flatMap(({ diaSemana, hora, conversas }) =>
      diaSemana === null || hora === null || conversas === 0 ? [] : [{ diaSemana, hora, conversas }],
    ),
    espera: [...WAIT_CLASSES_MIN, null].map((ateMin, index) => ({ ateMin, conversas: total?.classes[index] ?? 0 })),
    ...(sales === null ? {} : { vendas: sales }),
  }
}

async function addOperadores(
  tx: Tx,
  reader: ContaReader,
  span: ReportSpan,
  lines: readonly NumbersRow[],
): Promise<Relatorio['operadores']> {
  const served = await countServed(tx, reader, span)
  const worked = lines.flatMap(({ operadorId, ...line }) =>
    operadorId === null ? [] : [{ operadorId, ...toReportNumbers(line) }],
  )
  const idle = [...served.keys()].filter((id) => !worked.some(({ operadorId }) => operadorId === id))
  const all = [...worked, ...idle.map((operadorId) => ({ operadorId, ...NO_NUMBERS }))]
  const names = await listUsuarioNames(
    tx,
    reader.contaId,
    all.map(({ operadorId }) => operadorId),
  )
  return all.map((line) => ({
    ...line,
    operador: names.get(line.operadorId) ?? 'Operador',
    abertas: served.get(line.operadorId) ?? 0,
  }))
}

function toReportNumbers(line: TotalRow): ReportNumbers {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia, semResposta } = line
  const espera = { media: primeiraRespostaMs, mediana: line.medianaMs, p90: line.p90Ms }
  return { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia, semResposta, espera }
}

/** Local days in the form `AAAA-MM-DD`, both included. */
interface ReportPeriod {
  readonly de: string
  readonly ate: string
}

const DEFAULT_DAYS = 30
const DAYS_MAX = 366
/** Lower bound, because PostgreSQL accepts years that JavaScript formats differently. */
const FIRST_DAY = '2000-01-01'
const DAY_MS = 86_400_000

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

function countDays({ de, ate }: ReportPeriod): number {
  return (Date.parse(`${ate}T00:00:00Z`) - Date.parse(`${de}T00:00:00Z`)) / DAY_MS + 1
}

function daysOf(period: ReportPeriod): string[] {
  return Array.from({ length: countDays(period) }, (_, i) => addDays(period.de, i))
}

/** Parses the requested period. Default: the 30 days up to today. Throws `dadosInvalidos`. */
function parsePeriod(
  requested: { readonly de?: string | undefined; readonly ate?: string | undefined },
  today: string,
): ReportPeriod {
  const ate = requested.ate ?? today
  // Checked first, because the default start is computed from `ate`.
  if (ate < FIRST_DAY) throw invalidPeriod('ate', 'Escolha uma data mais recente')
  const de = requested.de ?? addDays(ate, 1 - DEFAULT_DAYS)
  if (de < FIRST_DAY) throw invalidPeriod('de', 'Escolha uma data mais recente')
  if (de > ate) throw invalidPeriod('de', 'A data inicial deve vir antes da final')
  if (countDays({ de, ate }) > DAYS_MAX) throw invalidPeriod('ate', `Escolha no máximo ${DAYS_MAX} dias`)
  return { de, ate }
}

function invalidPeriod(caminho: string, mensagem: string): AppError {
  return new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho, mensagem }] })
}
