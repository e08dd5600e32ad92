import type { Relatorio } from '@balcao/contract/entities/relatorio'
import type { Tx } from '#db/transaction.ts'
import { GROUPING, type NumbersRow, readToday, readNumbers } from './numbers.ts'
import { daysOf, parsePeriod, addDays } from './periodo.ts'
import { listUsuarioNames } from '#modules/contas/index.ts'

type ReportNumbers = Relatorio['total']

const NO_NUMBERS: ReportNumbers = {
  conversas: 0,
  finalizadas: 0,
  primeiraRespostaMs: null,
  resolucaoMs: null,
  avaliacoes: 0,
  notaMedia: null,
}

interface ReportRequest {
  readonly de?: string | undefined
  readonly ate?: string | undefined
  readonly agora: Date
}

export async function readRelatorio(tx: Tx, contaId: string, { agora, ...days }: ReportRequest): Promise<Relatorio> {
  const { fuso, hoje } = await readToday(tx, contaId, agora)
  const period = parsePeriod(days, hoje)
  const lines = await readNumbers(tx, contaId, { de: period.de, ateFora: addDays(period.ate, 1), fuso })
  const de = (group: number): NumbersRow[] =>
    lines.filter((line) => line.grupo === group).toSorted((a, b) => b.conversas - a.conversas)

  const porDia = new Map(de(GROUPING.dia).map((line) => [line.dia, toReportNumbers(line)]))
  const operadores = de(GROUPING.operador).flatMap(({ operadorId, ...line }) =>
    operadorId === null ? [] : [{ operadorId, ...toReportNumbers(line) }],
  )
  const names = await listUsuarioNames(
    tx,
    contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  const [total] = de(GROUPING.total)
  return {
    ...period,
    total: total === undefined ? NO_NUMBERS : toReportNumbers(total),
    dias: daysOf(period).map((dia) => ({ dia, ...(porDia.get(dia) ?? NO_NUMBERS) })),
    setores: de(GROUPING.setor).map(({ setor, ...line }) => ({ setor: setor ?? 'geral', ...toReportNumbers(line) })),
    operadores: operadores.map((line) => ({ ...line, operador: names.get(line.operadorId) ?? 'Operador' })),
  }
}

function toReportNumbers(line: ReportNumbers): ReportNumbers {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia } = line
  return { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia }
}
