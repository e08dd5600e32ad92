import type { BotStatus } from '@balcao/contract/entities/bot-status'
import type { Config } from '@balcao/contract/entities/config'
import { useQueryClient } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { refreshBotStatus, useBotStatus } from '#shared/data/bot-status.ts'
import { isLoadedConfig, useConfig, type ConfigRead, type LoadedConfig } from '#shared/data/config/use-config.ts'
import { serverLabel, useSistemaStatus } from '#shared/data/server-status.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { useLinhasQuery } from '#shared/conta/linhas.ts'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { useSocketState } from '#shared/realtime/socket.ts'
import { whenIdle } from '#shared/when-idle.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar, useOutOfView } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { QrCard } from './bot/qr-card.tsx'
import { BotStatusCard } from './bot/bot-status-card.tsx'
import { Checklist } from './checklist.tsx'
import { LinesArea } from './linhas/lines-area.tsx'
import { useMainSession } from './linhas/session-acts.ts'
import { RelinkQuestion } from './linhas/line-questions.tsx'
import { useGeralForm } from './configuracao/use-geral-form.ts'
import { Yesterday } from './yesterday.tsx'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'

const PairingHelp = lazy(async () => ({ default: (await import('#shared/conexao/pairing-help.tsx')).PairingHelp }))

// Below the first screen. Their files and their render would delay its paint.
const SystemConfig = lazy(async () => {
  await whenIdle()
  return { default: (await import('./configuracao/system-config.tsx')).SystemConfig }
})
const CollapsedSections = lazy(async () => {
  await whenIdle()
  return { default: (await import('./collapsed-sections.tsx')).CollapsedSections }
})

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

function useStartStop(hasClientId: boolean) {
  const { busy, start, stop, relink } = useMainSession()
  return {
    ...{ busy, relink },
    start: () => {
      if (!hasClientId) notify.erro('Configure o Client ID antes de iniciar o bot')
      else void start()
    },
    stop: () => void stop(),
  }
}

function GeralContent({ config }: { config: LoadedConfig }) {
  const { bot, known, loading } = useBotStatus()
  const { data: stats, isPending } = useUsageStats()
  const linhas = useLinhasQuery()
  const online = useSocketState().tipo === 'online'
  const form = useGeralForm(config)
  const guard = useUnsavedGuard(form.changed)
  const loaded = config.source === 'servidor'
  const [actions, setActions] = useState<HTMLDivElement | null>(null)
  const replaced = useOutOfView(actions) && form.changed && loaded
  useHotkeys({
    '$mod+s': () => {
      if (form.changed && loaded && !form.saving) void form.save()
    },
  })

  // Renders all parts together, so that nothing shifts. Deferred, so that a slow phone still handles input.
  const complete = useDeferredValue(!loading && !linhas.isPending && !(loaded && isPending), false)
  const below = useDeferredValue(complete, false)
  if (!complete) return <GeralSkeleton />
  return (
    <Suspense fallback={<GeralSkeleton />}>
      <div className="grid gap-4 sm:gap-5">
        <Yesterday />
        <ConfigStateBar config={config} botOnline={bot.isRunning} />
        {loaded && <Checklist config={config.config} bot={bot} mensagensNoMes={stats?.mensagemesTotalMes ?? 0} />}
        <LinesArea
          setores={config.config.atendimento.setores}
          hasClientId={config.config.whatsapp.clientId.trim() !== ''}
        >
          <BotCards bot={bot} known={known} whatsapp={config.config.whatsapp} online={online} />
        </LinesArea>
        {below && (
          // A separate boundary: the deferred render above includes this part and must not wait for its files.
          <Suspense>
            <SystemConfig
              {...{ form, replaced }}
              canSave={loaded}
              botRunning={bot.isRunning || bot.inicializado}
              actions={setActions}
            />
            <SystemInfo conversasAtivas={bot.conversasAtivas.length} configLoaded={loaded} />
            <CollapsedSections changed={form.changed} />
          </Suspense>
        )}
        <SaveBar changed={replaced} saving={form.saving} onDiscard={form.discard} onSave={() => void form.save()} />
        <LeaveUnsavedDialog guard={guard}>As alterações desta aba ainda não foram salvas.</LeaveUnsavedDialog>
      </div>
    </Suspense>
  )
}

interface BotCardsProps {
  readonly bot: BotStatus
  readonly known: boolean
  readonly whatsapp: Config['whatsapp']
  readonly online: boolean
}

function BotCards({ bot, known, whatsapp, online }: BotCardsProps) {
  const client = useQueryClient()
  const connection = whatsapp.clientId.trim()
  const hasClientId = connection !== ''
  const { busy, start, stop, relink } = useStartStop(hasClientId)
  const [asking, setAsking] = useState(false)
  return (
    <div className="grid gap-4 sm:gap-5 lg:grid-cols-[5fr_4fr]">
      <BotStatusCard
        {...{ bot, known, connection, hasClientId, online, busy }}
        onStart={start}
        onStop={stop}
        onRelink={() => setAsking(true)}
      >
        {bot.qrCode === null ? undefined : (
          <Suspense>
            <PairingHelp conector={whatsapp.conector} />
          </Suspense>
        )}
      </BotStatusCard>
      <QrCard
        bot={bot}
        connection={connection}
        onExpired={() => void refreshBotStatus(client).catch(() => undefined)}
      />
      <RelinkQuestion
        // The machine may return meanwhile. Then the link works and must not be given up.
        open={asking && bot.motivo === 'maquinaFora'}
        onConfirm={relink}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}

function InfoItem({ name, children }: { name: string; children: string }) {
  return (
    <div className="rounded-[10px] bg-sunken px-3 py-2.5 sm:px-4 sm:py-3">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-0.5 font-semibold tabular-nums">{children}</dd>
    </div>
  )
}

function SystemInfo({ conversasAtivas, configLoaded }: { conversasAtivas: number; configLoaded: boolean }) {
  const { data, isError } = useSistemaStatus()
  const known = data === undefined ? null : serverLabel(data, isError)
  return (
    <section aria-labelledby="informacoes" className="card p-4 sm:p-5">
      <h2 id="informacoes" className="text-lg font-bold">
        Informações do Sistema
      </h2>
      <dl className="mt-4 grid grid-cols-2 gap-3 lg:grid-cols-4">
        <InfoItem name="Servidor">{known ?? (isError ? 'Offline' : 'Verificando…')}</InfoItem>
        <InfoItem name="Conversas ativas">{String(conversasAtivas)}</InfoItem>
        <InfoItem name="Configuração carregada">{configLoaded ? 'Sim' : 'Não'}</InfoItem>
        <InfoItem name="Versão">{VERSAO_PRODUTO}</InfoItem>
      </dl>
    </section>
  )
}
