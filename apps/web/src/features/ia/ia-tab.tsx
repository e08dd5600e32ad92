import { Link, useSearch } from '@tanstack/react-router'
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
import { PartsNav } from '#shared/ui/parts-nav.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { focusIaField, type IaForm, useIaForm } from './form/use-ia-form.ts'

const IaSettings = lazy(async () => ({ default: (await import('./form/ia-settings.tsx')).IaSettings }))
const LineIa = lazy(async () => ({ default: (await import('./linhas/line-ia.tsx')).LineIa }))
const IaLinhaChoice = lazy(async () => ({ default: (await import('./linhas/ia-linha-choice.tsx')).IaLinhaChoice }))
const IaUsageCard = lazy(async () => ({ default: (await import('./ia-usage.tsx')).IaUsageCard }))
const GapsCard = lazy(async () => ({ default: (await import('./lacunas/gaps-card.tsx')).GapsCard }))
const IaTestChat = lazy(async () => ({ default: (await import('./ia-test.tsx')).IaTestChat }))
const ProvasView = lazy(async () => ({ default: (await import('./provas/provas-view.tsx')).ProvasView }))
const EnsaioCard = lazy(async () => ({ default: (await import('#shared/ensaio/ensaio-card.tsx')).EnsaioCard }))
const ExamRefused = lazy(async () => ({ default: (await import('./provas/exam-refused.tsx')).ExamRefused }))
const FontesView = lazy(async () => ({ default: (await import('./fontes/fontes-view.tsx')).FontesView }))

const PARTS = [
  { lista: undefined, label: 'Como responde' },
  { lista: 'fontes', label: 'O que sabe' },
  { lista: 'provas', label: 'Provas' },
  { lista: 'perguntas', label: 'Perguntas sem resposta' },
  { lista: 'uso', label: 'Uso e custo' },
] as const

type Lista = (typeof PARTS)[number]['lista']

export function IaTab() {
  const asked = useSearch({ strict: false, select: ({ lista }) => lista })
  const current = PARTS.find(({ lista }) => lista === asked)?.lista
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <PartsNav label="Partes da IA" aba="ia" parts={PARTS} current={current} />
      <IaParts current={current} />
    </div>
  )
}

/** Every part shares the form, so its edits stay while the owner looks at another part. */
function IaParts({ current }: { readonly current: Lista }) {
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
  if (linha === undefined || current !== undefined) {
    return <IaContent config={config.lida} current={current} head={linhas.length > 0 ? choice : undefined} />
  }
  return (
    <LazyPart key={linha.id} name="a linha">
      <LineIa linha={linha} conta={config.lida.config} onConta={() => setChosen('')}>
        {choice(false)}
      </LineIa>
    </LazyPart>
  )
}

function EditHint() {
  return (
    <p className="mt-2 text-sm text-muted">
      Mude algo em{' '}
      <Link
        to="/dashboard"
        search={{ aba: 'ia' }}
        activeOptions={{ exact: true }}
        className="font-semibold text-brand-ink underline"
      >
        Como responde
      </Link>{' '}
      e volte aqui antes de salvar.
    </p>
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
  readonly current: Lista
  /** Above the form: the choice of the line. It must not change while there are edits. */
  readonly head: ((changed: boolean) => ReactNode) | undefined
}

function IaContent({ config, current, head }: IaContentProps) {
  const form = useIaForm(config)
  const { changed, saving, save } = form
  const guard = useUnsavedGuard(changed, 'ia')
  useHotkeys({
    '$mod+s': () => {
      if (changed) void save()
    },
  })
  return (
    <div>
      <IaPart form={form} current={current} head={head} zone={config.config.atendimento.horario.fuso} />
      <SaveBar changed={changed} saving={saving} onDiscard={form.discard} onSave={() => void save()} />
      <LeaveUnsavedDialog guard={guard}>
        As alterações da IA ainda não foram salvas e serão perdidas.
      </LeaveUnsavedDialog>
      {form.examRefusal !== null && (
        <Suspense>
          <ExamRefused count={form.examRefusal} onForce={form.saveAnyway} onClose={form.closeExamRefusal} />
        </Suspense>
      )}
      <ConfigChanged open={form.conflict} onReload={form.acceptServer} onClose={form.closeConflict} />
    </div>
  )
}

interface IaPartProps extends Pick<IaContentProps, 'current' | 'head'> {
  readonly form: IaForm
  readonly zone: string
}

function IaPart({ form, current, head, zone }: IaPartProps) {
  switch (current) {
    case undefined:
      return <Answering form={form} head={head} />
    case 'fontes':
      return (
        <LazyPart name="as fontes">
          <FontesView />
        </LazyPart>
      )
    case 'provas':
      return (
        <LazyPart name="as provas">
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <ProvasView form={form} />
            <EnsaioCard config={form.draftConfig} changed={form.changed}>
              <EditHint />
            </EnsaioCard>
          </div>
        </LazyPart>
      )
    case 'perguntas':
      return (
        <LazyPart name="as perguntas sem resposta">
          <GapsCard />
        </LazyPart>
      )
    case 'uso':
      return (
        <LazyPart name="o uso da IA">
          <IaUsageCard zone={zone} />
        </LazyPart>
      )
  }
}

function Answering({ form, head }: Pick<IaPartProps, 'form' | 'head'>) {
  const { ia, changed } = form
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-5">
        {head?.(changed)}
        <MainSwitch form={form} />
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <IaSettings form={form} />
        </Suspense>
      </div>
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <IaTestChat ia={ia} changed={changed} />
      </Suspense>
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
