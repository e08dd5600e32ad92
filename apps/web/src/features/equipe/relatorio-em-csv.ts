import type { Relatorio } from '@balcao/contract/entities/relatorio'
import { type Celula, toCsv } from '#shared/csv.ts'
import { formatDia, type Periodo } from './periodo.ts'

type Numeros = Relatorio['total']

const CABECALHO = [
  'Grupo',
  'Nome',
  'Conversas',
  'Finalizadas',
  'Primeira resposta (min)',
  'Resolução (min)',
  'Avaliações',
  'Nota média',
]

const arredondar = (valor: number): number => Math.round(valor * 100) / 100
const emMinutos = (ms: number | null): number | null => (ms === null ? null : arredondar(ms / 60_000))

function linha(grupo: string, nome: string, numeros: Numeros): readonly Celula[] {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia } = numeros
  const tempos = [emMinutos(primeiraRespostaMs), emMinutos(resolucaoMs)]
  return [grupo, nome, conversas, finalizadas, ...tempos, avaliacoes, notaMedia === null ? null : arredondar(notaMedia)]
}

export function relatorioEmCsv(relatorio: Relatorio, nomeDoSetor: (id: string) => string): string {
  const { total, dias, setores, operadores } = relatorio
  return toCsv([
    CABECALHO,
    linha('Total', `${formatDia(relatorio.de)} a ${formatDia(relatorio.ate)}`, total),
    ...dias.map((um) => linha('Dia', formatDia(um.dia), um)),
    ...setores.map((um) => linha('Setor', nomeDoSetor(um.setor), um)),
    ...operadores.map((um) => linha('Pessoa', um.operador, um)),
  ])
}

export function nomeDoArquivo({ de, ate }: Periodo): string {
  return `balcao-relatorio-${de}-a-${ate}.csv`
}
