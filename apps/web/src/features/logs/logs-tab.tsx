import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { notify } from '#shared/avisos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { LogActions } from './manutencao/log-actions.tsx'
import { StatusCards } from './status-cards.tsx'
import { useLogs } from './list/use-logs.ts'
import { LogListChoice, LOG_PANEL_ID, logTabId, type LogListId } from './filters/list-choice.tsx'
import { ListSkeleton } from './list/list-skeleton.tsx'
import { logFilterSearch, type LogFilter, parseLogFilter } from './filters/log-filter.ts'
import { LogPanel } from './list/log-panel.tsx'
import { useSistemaStatus } from './use-sistema.ts'
import { useLogPause } from './list/use-pause.ts'

const ManutencaoBanner = lazy(async () => ({
  default: (await import('#shared/ui/manutencao-banner.tsx')).ManutencaoBanner,
}))
const BotMensagens = lazy(async () => ({ default: (await import('./list/bot-mensagens.tsx')).BotMensagens }))

const NO_LOGS: readonly never[] = []

export function LogsTab() {
  const cliente = useQueryClient()
  const navigate = useNavigate()
  const address = useSearch({ strict: false })
  const filtro = parseLogFilter(address)
  const qual: LogListId = address.lista === 'mensagens' ? 'mensagens' : 'logs'
  const sistema = useSistemaStatus()
  const logs = useLogs(filtro, qual === 'logs')
  const pausa = useLogPause(logs.data?.logs ?? NO_LOGS, JSON.stringify(filtro))

  const ir = (fresh: LogFilter, lista: LogListId): void =>
    void navigate({
      to: '/dashboard',
      search: { aba: 'logs', ...logFilterSearch(fresh), lista: lista === 'logs' ? undefined : lista },
      // `replace`: a search must not add one history entry per letter.
      replace: true,
      resetScroll: false,
    })

  async function atualizar(): Promise<void> {
    const opcoes = { throwOnError: true }
    await Promise.all(
      [QUERY_KEYS.sistema, QUERY_KEYS.logs, QUERY_KEYS.mensagensBot].map((queryKey) =>
        cliente.refetchQueries({ queryKey, type: 'active' }, opcoes),
      ),
    )
    pausa.setReason('rolagem', false)
    notify.sucesso('Dados atualizados!')
  }

  const manutencao = sistema.data?.sistema.manutencao ?? null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Suspense>{manutencao === true && <ManutencaoBanner />}</Suspense>
      <StatusCards sistema={sistema.data} foraDoAr={sistema.error !== null} />
      <LogActions filter={filtro} manutencao={manutencao} refresh={atualizar} />
      <div className="min-w-0">
        <LogListChoice current={qual} onChoose={(nova) => ir(filtro, nova)} />
        <div role="tabpanel" id={LOG_PANEL_ID} aria-labelledby={logTabId(qual)} className="mt-2">
          {qual === 'logs' ? (
            <LogPanel
              filter={filtro}
              onFilter={(change) => ir({ ...filtro, ...change }, qual)}
              query={logs}
              pause={pausa}
            />
          ) : (
            <Suspense fallback={<ListSkeleton rotulo="Carregando as mensagens" />}>
              <BotMensagens />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  )
}
