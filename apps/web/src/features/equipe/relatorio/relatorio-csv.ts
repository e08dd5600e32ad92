import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type CsvCell, toCsv } from '#shared/download.ts'
import { formatDay, type Period } from './period.ts'

type RelatorioFigures = Relatorio['total']

const CSV_HEADER = [
  'Grupo',
  'Nome',
  'Conversas',
  'Finalizadas',
  'Sem resposta',
  'Primeira resposta (min)',
  'Metade esperou até (min)',
  'Da fila ao fim (min)',
  'Avaliações',
  'Nota média',
]

const roundCents = (value: number): number => Math.round(value * 100) / 100
const toMinutes = (ms: number | null): number | null => (ms === null ? null : roundCents(ms / 60_000))

function csvRow(group: string, name: string, numeros: RelatorioFigures): readonly CsvCell[] {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia, semResposta, espera } =
    numeros
  const times = [primeiraRespostaMs, espera?.mediana ?? null, resolucaoMs].map(toMinutes)
  const nota = notaMedia === null ? null : roundCents(notaMedia)
  return [group, name, conversas, finalizadas, semResposta ?? null, ...times, avaliacoes, nota]
}

export function relatorioToCsv(relatorio: Relatorio, setorName: (id: string) => string): string {
  const { total, dias, setores, operadores, horas = [] } = relatorio
  return toCsv([
    CSV_HEADER,
    csvRow('Total', `${formatDay(relatorio.de)} a ${formatDay(relatorio.ate)}`, total),
    ...dias.map((item) => csvRow('Dia', formatDay(item.dia), item)),
    ...horas.map((um) => csvRow('Hora', `${um.hora}h`, um)),
    ...setores.map((um) => csvRow('Setor', setorName(um.setor), um)),
    ...operadores.map((um) => csvRow('Pessoa', um.operador, um)),
  ])
}

export function relatorioFileName({ de, ate }: Period): string {
  return `balcao-relatorio-${de}-a-${ate}.csv`
}
