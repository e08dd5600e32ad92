import type { VersionedConfig } from '@balcao/contract/entities/config'
import { useEditableConfig } from '#shared/data/config/use-config.ts'
import { ConfigChanged } from '#shared/ui/config-changed.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { AbsenceCard, DistributionCard, SilenceCard } from './rule-cards.tsx'
import { useQueueForm } from './use-queue-form.ts'

/** The rules of the queue: who gets the next conversa, absence and silence. */
export function QueuePage() {
  const config = useEditableConfig()
  if (config.estado === 'lendo') return <QueueSkeleton />
  if (config.estado === 'falhou') return <ErrorState message={config.mensagem} onRetry={config.tentar} />
  return <QueueEditor config={config.lida.config} reload={config.lida.reload} />
}

function QueueSkeleton() {
  return (
    <div role="status" aria-label="Carregando as regras da fila" aria-busy="true" className="grid gap-4">
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-32 w-full" />
      <Skeleton className="h-48 w-full" />
    </div>
  )
}

function QueueEditor({ config, reload }: { config: VersionedConfig; reload: () => Promise<unknown> }) {
  const form = useQueueForm(config, reload)
  const card = { values: form.values, errors: form.errors, onChange: form.change }
  return (
    <form
      noValidate
      className="grid max-w-3xl gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        void form.save()
      }}
    >
      <DistributionCard {...card} />
      <AbsenceCard {...card} />
      <SilenceCard {...card} />
      <SaveBar changed={form.changed} saving={form.saving} onDiscard={form.discard} onSave={() => void form.save()} />
      <ConfigChanged open={form.conflict} onReload={form.acceptServer} onClose={form.closeConflict} />
      <LeaveUnsavedDialog guard={form.guard}>O que você mudou nas regras da fila se perde.</LeaveUnsavedDialog>
    </form>
  )
}
