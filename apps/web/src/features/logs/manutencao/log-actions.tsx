import { Download, Pause, Play, RefreshCw, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import type { LogFilter } from '#features/logs/filters/log-filter.ts'

const ManutencaoDialog = lazy(async () => ({ default: (await import('./manutencao-dialog.tsx')).ManutencaoDialog }))
const ClearConversas = lazy(async () => ({ default: (await import('./clear-conversas.tsx')).ClearConversas }))

export interface LogActionsProps {
  readonly filter: LogFilter
  /** Null while unknown. */
  readonly manutencao: boolean | null
  /** Refetches all data on screen. Rejects with the text to show. */
  readonly refresh: () => Promise<void>
}

export function LogActions({ filter, manutencao, refresh }: LogActionsProps) {
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
