import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Operador } from '@balcao/contract/entities/operador'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { defaultConfig } from '@balcao/contract/defaults'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID, openPanel, type PanelTestApp, type PanelServer } from '#test/dashboard/panel.tsx'

export function makeOperador(fields: Partial<Operador> = {}): Operador {
  return {
    id: 'o1',
    nome: 'Bruno Lima',
    email: 'bruno@aurora.com.br',
    setores: ['vendas'],
    linhas: [],
    status: 'ativo',
    dataCriacao: '2026-11-10T12:00:00.000Z',
    convitePendente: false,
    conviteAte: null,
    segundoFator: false,
    ...fields,
  }
}

export const EQUIPE: readonly Operador[] = [
  makeOperador(),
  makeOperador({ id: 'o2', nome: 'Carla Menezes', email: 'carla@aurora.com.br', setores: [] }),
  makeOperador({
    id: 'o3',
    nome: 'Davi Souza',
    email: 'davi@aurora.com.br',
    setores: ['suporte', 'financeiro'],
    convitePendente: true,
    conviteAte: '2099-11-17T12:00:00.000Z',
  }),
  makeOperador({ id: 'o4', nome: 'Elis Prado', email: 'elis@aurora.com.br', setores: ['geral'], status: 'inativo' }),
]

export function makeOperadorUsuario(fields: Partial<Usuario> = {}): Usuario {
  const nada = Object.fromEntries(Object.keys(ALL_PERMISSIONS).map((nome) => [nome, false]))
  return makeUsuario({
    id: 'o1',
    nome: 'Bruno Lima',
    email: 'bruno@aurora.com.br',
    telefone: '',
    tipo: 'operador',
    setores: ['vendas'],
    componentesPermitidos: { ...ALL_PERMISSIONS, ...nada, atendimentoHumano: true },
    ...fields,
  })
}

export function openEquipePanel(name: string, initial: Partial<PanelServer> = {}): PanelTestApp {
  const address = name === '' ? '/dashboard?aba=atendimento' : `/dashboard?aba=atendimento&painel=${name}`
  const painel = openPanel(address, initial)
  painel.api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
  painel.api.on('GET /atendimento/setores', () => ok({ setores: defaultConfig().atendimento.setores }))
  painel.api.on('GET /atendimento/estatisticas', () => refusal(500, 'interno', 'Tente de novo em instantes.'))
  return painel
}

export function emitPresence(operadorId: string, status: 'online' | 'offline'): void {
  fakeSocket.emit('operadorStatusChange', { userId: CONTA_ID, operadorId, operador: 'Alguém', status })
}

export const button = (name: string | RegExp) => page.getByRole('button', { name: name, exact: true })
export const heading = (name: string) => page.getByRole('heading', { level: 2, name: name, exact: true })
export const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)
export const chooseMenuItem = async (menu: string, item: string): Promise<void> => {
  await button(menu).click()
  await page.getByRole('menuitem', { name: item }).click()
}
export const requestBodies = ({ api }: PanelTestApp, route: string): unknown[] =>
  api.calls.filter((call) => call.route === route).map(({ body }) => body)
