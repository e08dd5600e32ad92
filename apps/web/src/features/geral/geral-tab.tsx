import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { startBotAndPoll, stopBotAndPolling } from '#shared/data/bot-actions.ts'
import { refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'
import { isLoadedConfig, useConfig, type ConfigRead, type LoadedConfig } from '#shared/data/config/use-config.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useSocketState } from '#shared/realtime/socket.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { SystemInfo } from './system-info.tsx'
import { QrCard } from './bot/qr-card.tsx'
import { BotStatusCard } from './bot/bot-status-card.tsx'
import { useGeralForm } from './configuracao/use-geral-form.ts'

// Lazy: below the first screen, or only for new accounts.
const Checklist = lazy(async () => ({ default: (await import('./primeiros-passos/checklist.tsx')).Checklist }))
const PairingHelp = lazy(async () => ({ default: (await import('./bot/pairing-help.tsx')).PairingHelp }))
const SystemConfig = lazy(async () => ({
  default: (await import('./configuracao/system-config.tsx')).SystemConfig,
}))
const CollapsedSections = lazy(async () => ({ default: (await import('./collapsed-sections.tsx')).CollapsedSections }))

function GeralSkeleton() {
  return (
    <div role="status" aria-label="Carregando as configurações" className="grid gap-4">
      <Skeleton className="h-10 w-72" />
      <div className="grid gap-4 lg:grid-cols-[5fr_4fr]">
        <Skeleton className="h-72 w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
      <Skeleton className="h-48 w-full" />
    </div>
  )
}

/** Mounts the form only after the configuration loaded or failed, so it starts from final values. */
export function GeralTab() {
  const config = useConfig()
  if (config.loading) return <GeralSkeleton />
  // Even the defaults could not be loaded.
  if (!isLoadedConfig(config))
    return (
      <ErrorState message={errorMessage(config.error)} onRetry={() => void config.reload().catch(() => undefined)} />
    )
  return <GeralContent config={config} />
}

function ConfigStateBar({ config, botOnline }: { config: ConfigRead; botOnline: boolean }) {
  const loaded = config.source === 'servidor'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <h2 className="text-lg font-bold">Configurações Gerais</h2>
      <Chip tone={botOnline ? 'verde' : 'cinza'} dot>
        {botOnline ? 'Bot online' : 'Bot offline'}
      </Chip>
      <p
        role="status"
        className={`flex flex-wrap items-center gap-2 text-sm max-sm:w-full sm:ml-auto ${loaded ? 'text-muted' : 'font-semibold text-danger-ink'}`}
      >
        {loaded ? (
          <CircleCheck aria-hidden className="size-4 flex-none text-brand" />
        ) : (
          <TriangleAlert aria-hidden className="size-4 flex-none" />
        )}
        <span className="min-w-0 flex-1">
          {loaded
            ? 'Configuração carregada'
            : `Configuração não carregada: ${config.source === 'copia' ? 'mostrando a cópia deste navegador' : 'mostrando os valores iniciais'}.`}
        </span>
        {!loaded && (
          <Button size="sm" onClick={() => void config.reload().catch(() => undefined)}>
            Tentar de novo
          </Button>
        )}
      </p>
    </div>
  )
}

function useStartStop(temClientId: boolean) {
  const cliente = useQueryClient()
  const [ocupado, setOcupado] = useState(false)

  async function execute(run: () => Promise<unknown>, success: string, failure: string): Promise<void> {
    setOcupado(true)
    try {
      await run()
      notify.sucesso(success)
    } catch (error) {
      notify.erro(`${failure}: ${errorMessage(error)}`)
    }
    setOcupado(false)
  }

  return {
    ocupado,
    iniciar: () => {
      if (!temClientId) notify.erro('Configure o Client ID antes de iniciar o bot')
      else void execute(() => startBotAndPoll(cliente), 'Bot iniciado! Aguarde a conexão...', 'Erro ao iniciar bot')
    },
    parar: () => void execute(() => stopBotAndPolling(cliente), 'Bot parado com sucesso!', 'Erro ao parar bot'),
  }
}

function GeralContent({ config }: { config: LoadedConfig }) {
  const cliente = useQueryClient()
  const { bot, known, loading } = useBotStatus()
  const { data: estatisticas, isPending } = useUsageStats()
  const online = useSocketState().tipo === 'online'
  const formulario = useGeralForm(config)
  const guarda = useUnsavedGuard(formulario.changed)
  const loaded = config.source === 'servidor'
  const temClientId = config.config.whatsapp.clientId.trim() !== ''
  const { ocupado, iniciar, parar } = useStartStop(temClientId)
  useHotkeys({
    '$mod+s': () => {
      if (formulario.changed && loaded && !formulario.saving) void formulario.save()
    },
  })

  // Renders all parts together, so that nothing shifts. Deferred, so that a slow phone still handles input.
  const complete = useDeferredValue(!loading && !(loaded && isPending), false)
  const abaixo = useDeferredValue(complete, false)
  if (!complete) return <GeralSkeleton />
  return (
    <Suspense fallback={<GeralSkeleton />}>
      <div className="grid gap-4 sm:gap-5">
        <ConfigStateBar config={config} botOnline={bot.isRunning} />
        {loaded && (
          <Checklist config={config.config} bot={bot} mensagensNoMes={estatisticas?.mensagemesTotalMes ?? 0} />
        )}
        <div className="grid gap-4 sm:gap-5 lg:grid-cols-[5fr_4fr]">
          <BotStatusCard
            bot={bot}
            known={known}
            hasClientId={temClientId}
            online={online}
            busy={ocupado}
            onStart={iniciar}
            onStop={parar}
          >
            {bot.qrCode === null ? undefined : (
              <Suspense>
                <PairingHelp conector={config.config.whatsapp.conector} />
              </Suspense>
            )}
          </BotStatusCard>
          <QrCard bot={bot} onExpired={() => void refreshBotStatus(cliente).catch(() => undefined)} />
        </div>
        {abaixo && (
          <>
            <SystemConfig form={formulario} canSave={loaded} botRunning={bot.isRunning || bot.inicializado} />
            <SystemInfo serverOnline={online} conversasAtivas={bot.conversasAtivas.length} configLoaded={loaded} />
            <CollapsedSections alterado={formulario.changed} />
          </>
        )}
        <SaveBar
          changed={formulario.changed && loaded}
          saving={formulario.saving}
          onDiscard={formulario.discard}
          onSave={() => void formulario.save()}
        />
        <LeaveUnsavedDialog guard={guarda}>As alterações desta aba ainda não foram salvas.</LeaveUnsavedDialog>
      </div>
    </Suspense>
  )
}
