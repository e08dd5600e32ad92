import { MessageCircle, RotateCcw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLinhasQuery, useManyLinhas } from '#shared/conta/linhas.ts'
import { type LoadedConfig, useEditableConfig } from '#shared/data/config/use-config.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { ConfigChanged } from '#shared/ui/config-changed.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { focusIaField, type IaForm, useIaForm } from './form/use-ia-form.ts'

const IaSettings = lazy(async () => ({ default: (await import('./form/ia-settings.tsx')).IaSettings }))
const LineIa = lazy(async () => ({ default: (await import('./linhas/line-ia.tsx')).LineIa }))
const IaLinhaChoice = lazy(async () => ({ default: (await import('./linhas/ia-linha-choice.tsx')).IaLinhaChoice }))
const IaUsageCard = lazy(async () => ({ default: (await import('./ia-usage.tsx')).IaUsageCard }))
const LacunasCard = lazy(async () => ({ default: (await import('./lacunas/lacunas-card.tsx')).LacunasCard }))
const IaTestChat = lazy(async () => ({ default: (await import('./ia-test.tsx')).IaTestChat }))

export function IaTab() {
  const config = useEditableConfig()
  const { isPending } = useLinhasQuery()
  const linhas = useManyLinhas()
  const [chosen, setChosen] = useState('')
  if (config.estado === 'lendo' || isPending) return <IaSkeleton />
  if (config.estado === 'falhou') return <ErrorState message={config.mensagem} onRetry={config.tentar} />
  const linha = linhas.find(({ id }) => id === chosen)
  const choice = (changed: boolean): ReactNode => (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <IaLinhaChoice {...{ linhas, linha, changed }} onChange={setChosen} />
    </Suspense>
  )
  // The form of the account stays mounted while another window adds the second line.
  if (linha === undefined) return <IaContent config={config.lida} head={linhas.length > 0 ? choice : undefined} />
  return (
    <LazyPart key={linha.id} name="a linha">
      <LineIa linha={linha} conta={config.lida.config} onConta={() => setChosen('')}>
        {choice(false)}
      </LineIa>
    </LazyPart>
  )
}

function IaSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando a IA" className="grid gap-5">
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-64 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}

interface IaContentProps {
  readonly config: LoadedConfig
  /** Above the form: the choice of the line. It must not change while there are edits. */
  readonly head: ((changed: boolean) => ReactNode) | undefined
}

function IaContent({ config, head }: IaContentProps) {
  const form = useIaForm(config)
  const { ia, changed, saving, save } = form
  const guard = useUnsavedGuard(changed)
  useHotkeys({
    '$mod+s': () => {
      if (changed) void save()
    },
  })
  return (
    <div>
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="grid min-w-0 gap-5">
          {head?.(changed)}
          <MainSwitch form={form} />
          <Suspense fallback={<Skeleton className="h-96 w-full" />}>
            <IaSettings form={form} />
          </Suspense>
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <LacunasCard />
          </Suspense>
        </div>
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <IaTestChat ia={ia} changed={changed} />
        </Suspense>
        <Suspense fallback={<Skeleton className="h-64 w-full" />}>
          <IaUsageCard zone={config.config.atendimento.horario.fuso} />
        </Suspense>
      </div>
      <SaveBar changed={changed} saving={saving} onDiscard={form.discard} onSave={() => void save()} />
      <LeaveUnsavedDialog guard={guard}>
        As alterações da IA ainda não foram salvas e serão perdidas.
      </LeaveUnsavedDialog>
      <ConfigChanged open={form.conflict} onReload={form.acceptServer} onClose={form.closeConflict} />
    </div>
  )
}

function MainSwitch({ form }: { form: IaForm }) {
  const { ia, saving, errors, change, save } = form
  return (
    <Card>
      <Switch
        label="Assistente de IA"
        hint="Quando ativa, responde fora das opções do menu e chama um atendente quando for preciso."
        on={ia.ativa}
        onChange={(ativa) => change({ ativa })}
      />
      {errors['ativa'] !== undefined && (
        <p role="alert" className="mt-2 text-sm font-semibold text-danger-ink">
          {errors['ativa']}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-4">
        <Button variant="ghost" className="min-h-11 lg:hidden" onClick={() => focusIaField('pergunta')}>
          <MessageCircle size={16} aria-hidden /> Testar a IA
        </Button>
        <Button className="min-h-11" disabled={saving} onClick={() => void form.restore()}>
          <RotateCcw size={16} aria-hidden /> Restaurar
        </Button>
        <Button variant="primary" className="min-h-11 max-sm:flex-1" busy={saving} onClick={() => void save()}>
          {saving ? 'Salvando…' : 'Salvar'}
        </Button>
      </div>
    </Card>
  )
}
