import type { Avaliacao, AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import type { Relatorio } from '@balcao/contract/entities/relatorio'

export function makeAvaliacao(fields: Partial<Avaliacao> = {}): Avaliacao {
  return {
    id: 'a1',
    nota: 5,
    cliente: { nome: 'Marina Duarte', telefone: '5511987654321' },
    conversaId: 'c1',
    protocolo: '20261121-0001',
    setor: 'vendas',
    operador: 'Bruno Lima',
    criadaEm: '2026-11-21T14:30:00.000Z',
    ...fields,
  }
}

export const NO_AVALIACOES: AvaliacaoStats = {
  totalAvaliacoes: 0,
  notaMedia: null,
  distribuicaoNotas: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
  ultimasAvaliacoes: [],
  porSetor: [],
  porOperador: [],
}

export const AVALIACOES: AvaliacaoStats = {
  totalAvaliacoes: 80,
  notaMedia: 4.2875,
  distribuicaoNotas: { 0: 1, 1: 2, 2: 3, 3: 8, 4: 20, 5: 46 },
  ultimasAvaliacoes: [
    makeAvaliacao(),
    makeAvaliacao({
      id: 'a2',
      nota: 3,
      cliente: { nome: 'João Pedro Alves', telefone: '5521912345678' },
      setor: 'suporte',
      protocolo: '20261121-0007',
      operador: 'Carla Menezes',
      criadaEm: '2026-11-21T13:05:00.000Z',
    }),
    makeAvaliacao({
      id: 'a3',
      nota: 0,
      cliente: { nome: 'Studio Bela Vista', telefone: '5511933334444' },
      setor: 'financeiro',
      operador: undefined,
      criadaEm: '2026-11-20T18:40:00.000Z',
    }),
  ],
  porSetor: [
    { setor: 'vendas', total: 48, notaMedia: 4.6 },
    { setor: 'suporte', total: 24, notaMedia: 3.9 },
    { setor: 'entregas', total: 8, notaMedia: 3.5 },
  ],
  porOperador: [
    { operadorId: 'o1', operador: 'Bruno Lima', total: 50, notaMedia: 4.5 },
    { operadorId: 'o2', operador: 'Carla Menezes', total: 30, notaMedia: 3.9 },
  ],
}

const NO_NUMBERS = {
  conversas: 0,
  finalizadas: 0,
  primeiraRespostaMs: null,
  resolucaoMs: null,
  avaliacoes: 0,
  notaMedia: null,
} as const

function daysBetween(de: string, until: string): string[] {
  const days: string[] = []
  for (let day = new Date(`${de}T00:00:00Z`); ; day = new Date(day.getTime() + 86_400_000)) {
    const written = day.toISOString().slice(0, 10)
    if (written > until) return days
    days.push(written)
  }
}

export function makeRelatorio(de: string, ate: string): Relatorio {
  const dias = daysBetween(de, ate).map((dia, index) =>
    new Date(`${dia}T00:00:00Z`).getUTCDay() === 0
      ? { dia, ...NO_NUMBERS }
      : {
          dia,
          conversas: 18 + ((index * 7) % 23),
          finalizadas: 17 + ((index * 5) % 19),
          primeiraRespostaMs: 95_000 + index * 3_100,
          resolucaoMs: 1_500_000 + index * 61_000,
          avaliacoes: 3,
          notaMedia: 4.3,
        },
  )
  const conversas = dias.reduce((sum, day) => sum + day.conversas, 0)
  const total = {
    conversas,
    finalizadas: Math.round(conversas * 0.93),
    primeiraRespostaMs: 130_000,
    resolucaoMs: 3_900_000,
    avaliacoes: 80,
    notaMedia: 4.2875,
    semResposta: 7,
    espera: { media: 130_000, mediana: 90_000, p90: 600_000 },
  }
  return {
    de,
    ate,
    total,
    anterior: { ...total, conversas: 31, espera: { media: 200_000, mediana: 150_000, p90: 900_000 } },
    dias,
    setores: [
      { setor: 'vendas', ...total, conversas: 402 },
      { setor: 'suporte', ...total, conversas: 210, primeiraRespostaMs: 45_000 },
      { setor: 'geral', ...NO_NUMBERS, conversas: 3 },
    ],
    operadores: [
      { operadorId: 'o1', operador: 'Bruno Lima', ...total, conversas: 380, abertas: 3 },
      { operadorId: 'o2', operador: '=HYPERLINK("http://x")', ...total, conversas: 230, notaMedia: null },
    ],
    encerradasPorSilencio: 12,
    agendadasEnviadas: 1,
    horas: [8, 9, 10, 14, 18].map((hora) => ({ hora, ...total, conversas: 20 + hora })),
    mapa: [
      { diaSemana: 1, hora: 10, conversas: 40 },
      { diaSemana: 5, hora: 18, conversas: 12 },
      { diaSemana: 0, hora: 9, conversas: 1 },
    ],
    espera: [
      { ateMin: 1, conversas: 300 },
      { ateMin: 5, conversas: 150 },
      { ateMin: 15, conversas: 60 },
      { ateMin: 60, conversas: 20 },
      { ateMin: null, conversas: 5 },
    ],
  }
}

export function makeEmptyRelatorio(de: string, ate: string): Relatorio {
  return {
    de,
    ate,
    total: NO_NUMBERS,
    dias: daysBetween(de, ate).map((dia) => ({ dia, ...NO_NUMBERS })),
    setores: [],
    operadores: [],
  }
}
