import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type KeyboardEvent, Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Download, Pause, Play, RefreshCw, Trash2 } from 'lucide-react'
import { notify } from '#shared/avisos.ts'
import { useSistemaStatus } from '#shared/data/server-status.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { onSocketEvent } from '#shared/realtime/socket.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { StatusCards } from './status-cards.tsx'
import { useLogs, useLogPause } from './list/use-logs.ts'
import { ListSkeleton } from './list/live-list.tsx'
import { type LogFilter, logFilterSearch, parseLogFilter } from './log-filter.ts'
import { LogPanel } from './list/log-panel.tsx'

const ManutencaoDialog = lazy(async () => ({
  default: (await import('./action-dialogs.tsx')).ManutencaoDialog,
}))
const ClearConversas = lazy(async () => ({
  default: (await import('./action-dialogs.tsx')).ClearConversas,
}))

interface LogActionsProps {
  readonly filter: LogFilter
  readonly manutencao: boolean | null
  readonly refresh: () => Promise<void>
}

function LogActions({ filter, manutencao, refresh }: LogActionsProps) {
  const [open, setOpen] = useState<'manutencao' | 'limpar' | null>(null)
  const [running, setRunning] = useState<'atualizar' | 'exportar' | null>(null)
  const close = (): void => setOpen(null)

  async function run(qual: 'atualizar' | 'exportar', action: () => Promise<void>, error: string): Promise<void> {
    setRunning(qual)
    try {
      await action()
    } catch (cause) {
      notify.erro(`${error}: ${errorMessage(cause)}`)
    } finally {
      setRunning(null)
    }
  }

  async function exportar(): Promise<void> {
    const { downloadLogs, LOG_EXPORT_MAX, fetchAllLogs } = await import('./export-logs.ts')
    const exported = await fetchAllLogs(filter)
    if (exported.logs.length === 0) return void notify.info('Não há registros para exportar com este filtro.')
    downloadLogs(exported, new Date())
    if (!exported.truncated) return void notify.sucesso('Logs exportados com sucesso!')
    notify.info(
      `Exportados os ${formatNumber(LOG_EXPORT_MAX)} logs mais recentes. Para os outros, filtre por período ou tipo.`,
    )
  }

  return (
    <div className="grid grid-cols-2 gap-2 sm:flex">
      <Button
        variant="ghost"
        className="min-h-11 bg-warn-soft text-warn-ink max-sm:col-span-2"
        disabled={manutencao === null}
        onClick={() => setOpen('manutencao')}
      >
        {manutencao === true ? <Play size={17} aria-hidden /> : <Pause size={17} aria-hidden />}
        {manutencao === true ? 'Encerrar manutenção' : 'Iniciar manutenção'}
      </Button>
      <Button
        className="min-h-11 sm:ml-auto"
        busy={running === 'atualizar'}
        onClick={() => void run('atualizar', refresh, 'Erro ao atualizar dados')}
      >
        {running !== 'atualizar' && <RefreshCw size={17} aria-hidden />} Atualizar
      </Button>
      <Button
        className="min-h-11"
        busy={running === 'exportar'}
        onClick={() => void run('exportar', exportar, 'Erro ao exportar logs')}
      >
        {running !== 'exportar' && <Download size={17} aria-hidden />} Exportar
      </Button>
      <Button variant="danger" className="min-h-11 max-sm:col-span-2" onClick={() => setOpen('limpar')}>
        <Trash2 size={17} aria-hidden /> Limpar conversas
      </Button>
      <Suspense>
        {open === 'manutencao' && manutencao !== null && <ManutencaoDialog active={manutencao} onClose={close} />}
        {open === 'limpar' && <ClearConversas onClose={close} />}
      </Suspense>
    </div>
  )
}

const ManutencaoBanner = lazy(async () => ({
  default: (await import('#shared/ui/manutencao-banner.tsx')).ManutencaoBanner,
}))
const DebugInfo = lazy(async () => ({ default: (await import('./debug-info.tsx')).DebugInfo }))
const BotMensagens = lazy(async () => ({ default: (await import('./list/bot-mensagens.tsx')).BotMensagens }))

const NO_LOGS: readonly never[] = []

export function LogsTab() {
  const client = useQueryClient()
  const navigate = useNavigate()
  const address = useSearch({ strict: false })
  const filter = parseLogFilter(address)
  const qual: LogListId = address.lista === 'mensagens' ? 'mensagens' : 'logs'
  const sistema = useMeasurements()
  const logs = useLogs(filter, qual === 'logs')
  const pause = useLogPause(logs.data?.logs ?? NO_LOGS, JSON.stringify(filter))

  const go = (fresh: LogFilter, list: LogListId): void =>
    void navigate({
      to: '/dashboard',
      search: { aba: 'logs', ...logFilterSearch(fresh), lista: list === 'logs' ? undefined : list },
      // `replace`: a search must not add one history entry per letter.
      replace: true,
      resetScroll: false,
    })

  async function atualizar(): Promise<void> {
    const opcoes = { throwOnError: true }
    await Promise.all(
      [QUERY_KEYS.sistema, QUERY_KEYS.logs, QUERY_KEYS.mensagensBot].map((queryKey) =>
        client.refetchQueries({ queryKey, type: 'active' }, opcoes),
      ),
    )
    pause.setReason('rolagem', false)
    notify.sucesso('Dados atualizados!')
  }

  const manutencao = sistema.data?.sistema.manutencao ?? null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Suspense>{manutencao === true && <ManutencaoBanner />}</Suspense>
      <StatusCards sistema={sistema.data} offline={sistema.error !== null} />
      <LogActions filter={filter} manutencao={manutencao} refresh={atualizar} />
      <div className="min-w-0">
        <LogListChoice current={qual} onChoose={(nova) => go(filter, nova)} />
        <div role="tabpanel" id={LOG_PANEL_ID} aria-labelledby={logTabId(qual)} className="mt-2">
          {qual === 'logs' ? (
            <LogPanel
              filter={filter}
              onFilter={(change) => go({ ...filter, ...change }, qual)}
              query={logs}
              pause={pause}
            />
          ) : (
            <Suspense fallback={<ListSkeleton label="Carregando as mensagens" />}>
              <BotMensagens linha={filter.linha} onLinha={(linha) => go({ ...filter, linha }, qual)} />
            </Suspense>
          )}
        </div>
      </div>
      <Suspense>
        <DebugInfo />
      </Suspense>
    </div>
  )
}

const AFTER_MENSAGEM_MS = 3_000

/** Measures also after events that change the cards. */
function useMeasurements() {
  const client = useQueryClient()
  const measure = useEffectEvent(() => void client.invalidateQueries({ queryKey: QUERY_KEYS.sistema }))
  useEffect(() => {
    let afterMensagem: ReturnType<typeof setTimeout> | undefined
    const stop = onSocketEvent(({ evento }) => {
      if (evento === 'botStatusChange') measure()
      if (evento !== 'botMensagem') return
      afterMensagem ??= setTimeout(() => {
        afterMensagem = undefined
        measure()
      }, AFTER_MENSAGEM_MS)
    })
    return () => {
      stop()
      clearTimeout(afterMensagem)
    }
  }, [])
  return useSistemaStatus()
}

type LogListId = 'logs' | 'mensagens'

const LOG_LISTS: readonly { readonly qual: LogListId; readonly rotulo: string }[] = [
  { qual: 'logs', rotulo: 'Logs' },
  { qual: 'mensagens', rotulo: 'Mensagens' },
]

const logTabId = (list: LogListId): string => `lista-${list}-aba`
const LOG_PANEL_ID = 'lista-painel'

function LogListChoice({ current, onChoose }: { current: LogListId; onChoose: (qual: LogListId) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const advance = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    const other: LogListId = current === 'logs' ? 'mensagens' : 'logs'
    onChoose(other)
    box.current?.querySelector<HTMLElement>(`#${logTabId(other)}`)?.focus()
  }
  return (
    <div ref={box} role="tablist" aria-label="O que ver" className="flex gap-1">
      {LOG_LISTS.map(({ qual, rotulo }) => (
        <button
          key={qual}
          id={logTabId(qual)}
          type="button"
          role="tab"
          aria-selected={qual === current}
          aria-controls={LOG_PANEL_ID}
          tabIndex={qual === current ? 0 : -1}
          onClick={() => onChoose(qual)}
          onKeyDown={advance}
          className={`min-h-11 border-b-2 px-4 font-semibold ${qual === current ? 'border-brand text-ink' : 'border-transparent text-muted'}`}
        >
          {rotulo}
        </button>
      ))}
    </div>
  )
}
