import { type ComponentType, lazy } from 'react'
import type { TabRegistry, NoticeWatcherComponent } from '#features/dashboard/dashboard-screen.tsx'
import { beforeIdle, whenIdle } from '#shared/when-idle.ts'
import { AtendimentoPage } from './atendimento-page.tsx'

const tab = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await beforeIdle(load()) }))

export const TABS: TabRegistry = {
  geral: tab(async () => (await import('#features/geral/geral-tab.tsx')).GeralTab),
  atendimento: AtendimentoPage,
  mensagens: tab(async () => (await import('#features/mensagens/mensagens-tab.tsx')).MensagensTab),
  ia: tab(async () => (await import('#features/ia/ia-tab.tsx')).IaTab),
  loja: tab(async () => (await import('#features/loja/loja-tab.tsx')).LojaTab),
  contatos: tab(async () => (await import('#features/contatos/contatos-tab.tsx')).ContatosTab),
  pedidos: tab(async () => (await import('#shared/pedidos/pedidos-view.tsx')).PedidosView),
  logs: tab(async () => (await import('#features/logs/logs-tab.tsx')).LogsTab),
}

export const NOTICE_WATCHER: NoticeWatcherComponent = lazy(async () => {
  await whenIdle()
  return { default: (await import('#features/atendimento/avisos/notice-watcher.tsx')).NoticeWatcher }
})
