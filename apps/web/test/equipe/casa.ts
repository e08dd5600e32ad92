import { socketDeMentira } from '../dashboard/fake-socket.ts'
import type { Operador } from '@balcao/contract/entities/operador'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { defaultConfig } from '@balcao/contract/defaults'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA, montarPainel, type PainelDeTeste, type Servidor, TODOS, umUsuario } from '../dashboard/painel.tsx'

export function operador(campos: Partial<Operador> = {}): Operador {
  return {
    id: 'o1',
    nome: 'Bruno Lima',
    email: 'bruno@aurora.com.br',
    setores: ['vendas'],
    status: 'ativo',
    dataCriacao: '2026-11-10T12:00:00.000Z',
    convitePendente: false,
    conviteAte: null,
    ...campos,
  }
}

export const EQUIPE: readonly Operador[] = [
  operador(),
  operador({ id: 'o2', nome: 'Carla Menezes', email: 'carla@aurora.com.br', setores: [] }),
  operador({
    id: 'o3',
    nome: 'Davi Souza',
    email: 'davi@aurora.com.br',
    setores: ['suporte', 'financeiro'],
    convitePendente: true,
    conviteAte: '2099-11-17T12:00:00.000Z',
  }),
  operador({ id: 'o4', nome: 'Elis Prado', email: 'elis@aurora.com.br', setores: ['geral'], status: 'inativo' }),
]

export function umOperador(campos: Partial<Usuario> = {}): Usuario {
  const nada = Object.fromEntries(Object.keys(TODOS).map((nome) => [nome, false]))
  return umUsuario({
    id: 'o1',
    nome: 'Bruno Lima',
    email: 'bruno@aurora.com.br',
    telefone: '',
    tipo: 'operador',
    setores: ['vendas'],
    componentesPermitidos: { ...TODOS, ...nada, atendimentoHumano: true },
    ...campos,
  })
}

export function abrirPainel(nome: string, inicial: Partial<Servidor> = {}): PainelDeTeste {
  const endereco = nome === '' ? '/dashboard?aba=atendimento' : `/dashboard?aba=atendimento&painel=${nome}`
  const painel = montarPainel(endereco, inicial)
  painel.api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
  painel.api.on('GET /atendimento/setores', () => ok({ setores: defaultConfig().atendimento.setores }))
  painel.api.on('GET /atendimento/estatisticas', () => refusal(500, 'interno', 'Tente de novo em instantes.'))
  return painel
}

export function presenca(operadorId: string, status: 'online' | 'offline'): void {
  socketDeMentira.emitir('operadorStatusChange', { userId: CONTA, operadorId, operador: 'Alguém', status })
}

export const botao = (nome: string | RegExp) => page.getByRole('button', { name: nome, exact: true })
export const titulo = (nome: string) => page.getByRole('heading', { level: 2, name: nome, exact: true })
export const aviso = (dito: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(dito)
export const escolher = async (menu: string, item: string): Promise<void> => {
  await botao(menu).click()
  await page.getByRole('menuitem', { name: item }).click()
}
export const pedidos = ({ api }: PainelDeTeste, rota: string): unknown[] =>
  api.calls.filter(({ route }) => route === rota).map(({ body }) => body)
