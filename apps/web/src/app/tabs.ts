import { type ComponentType, lazy } from 'react'
import type { RegistroDeAbas, Vigia } from '#features/dashboard/dashboard-screen.tsx'
import { ocioso } from '#shared/ocioso.ts'
import { Atendimento } from './atendimento.tsx'

const tab = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

export const TABS: RegistroDeAbas = {
  geral: tab(async () => (await import('#features/geral/geral-tab.tsx')).GeralTab),
  atendimento: Atendimento,
  mensagens: tab(async () => (await import('#features/mensagens/mensagens-tab.tsx')).MensagensTab),
  ia: tab(async () => (await import('#features/ia/ia-tab.tsx')).IaTab),
  loja: tab(async () => (await import('#features/loja/loja-tab.tsx')).LojaTab),
  logs: tab(async () => (await import('#features/logs/logs-tab.tsx')).LogsTab),
}

export const VIGIA: Vigia = lazy(async () => {
  await ocioso()
  return { default: (await import('#features/atendimento/plantao.tsx')).Plantao }
})
