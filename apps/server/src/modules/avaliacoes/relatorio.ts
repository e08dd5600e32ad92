import type { Relatorio } from '@balcao/contract/entities/relatorio'
import type { Tx } from '#db/transaction.ts'
import { GROUPING, type NumbersRow, readToday, readNumbers } from './numeros.ts'
import { daysOf, parsePeriod, addDays } from './periodo.ts'
import { listUsuarioNames } from './repository.ts'

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

export async function readRelatorio(tx: Tx, contaId: string, { agora, ...dias }: ReportRequest): Promise<Relatorio> {
  const { fuso, hoje } = await readToday(tx, contaId, agora)
  const periodo = parsePeriod(dias, hoje)
  const linhas = await readNumbers(tx, contaId, { de: periodo.de, ateFora: addDays(periodo.ate, 1), fuso })
  const de = (grupo: number): NumbersRow[] =>
    linhas.filter((linha) => linha.grupo === grupo).toSorted((a, b) => b.conversas - a.conversas)

  const porDia = new Map(de(GROUPING.dia).map((linha) => [linha.dia, toReportNumbers(linha)]))
  const operadores = de(GROUPING.operador).flatMap(({ operadorId, ...linha }) =>
    operadorId === null ? [] : [{ operadorId, ...toReportNumbers(linha) }],
  )
  const nomes = await listUsuarioNames(
    tx,
    contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  const [total] = de(GROUPING.total)
  return {
    ...periodo,
    total: total === undefined ? NO_NUMBERS : toReportNumbers(total),
    dias: daysOf(periodo).map((dia) => ({ dia, ...(porDia.get(dia) ?? NO_NUMBERS) })),
    setores: de(GROUPING.setor).map(({ setor, ...linha }) => ({ setor: setor ?? 'geral', ...toReportNumbers(linha) })),
    operadores: operadores.map((linha) => ({ ...linha, operador: nomes.get(linha.operadorId) ?? 'Operador' })),
  }
}

function toReportNumbers(linha: ReportNumbers): ReportNumbers {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia } = linha
  return { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia }
}
