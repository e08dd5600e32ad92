import type { Prova } from '@balcao/contract/entities/prova'
import { ClipboardCheck, Play, Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import type { IaForm } from '#features/ia/form/use-ia-form.ts'
import { formatNumber } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { ProvaForm } from './prova-form.tsx'
import { ProvaItem } from './prova-item.tsx'
import { type ExamSummary, useExam, useProvaActions, useProvas } from './use-provas.ts'

type OpenDialog = { readonly tipo: 'nova' } | { readonly tipo: 'editar' | 'excluir'; readonly prova: Prova }

/** Questions with known answers, asked to the settings on screen before customers meet them. */
export function ProvasView({ form }: { readonly form: IaForm }) {
  const query = useProvas()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const onNew = (): void => setDialog({ tipo: 'nova' })
  return (
    <section aria-label="Provas" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div>
        <h2 id="provas-da-ia" tabIndex={-1} className="text-lg font-bold">
          Provas
        </h2>
        <p className="max-w-[62ch] text-sm text-muted">
          Perguntas de cliente com a resposta certa. Faça a prova antes de salvar uma mudança na IA.
        </p>
      </div>
      <QueryState query={query} skeleton={<ProvasSkeleton />} drawCard>
        {(provas) =>
          provas.length === 0 ? (
            <NoProvas onNew={onNew} />
          ) : (
            <>
              <Exam form={form} provas={provas} onNew={onNew} />
              <ProvaList provas={provas} onOpen={setDialog} />
            </>
          )
        }
      </QueryState>
      {dialog !== null && <ProvaDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </section>
  )
}

function GenerateButton({ primary = false }: { readonly primary?: boolean }) {
  const { generate } = useProvaActions()
  const [busy, setBusy] = useState(false)
  return (
    <Button
      variant={primary ? 'primary' : 'outline'}
      className="min-h-11"
      busy={busy}
      onClick={() => {
        setBusy(true)
        void generate().finally(() => setBusy(false))
      }}
    >
      <Sparkles size={18} aria-hidden /> {busy ? 'Gerando…' : 'Gerar perguntas'}
    </Button>
  )
}

function NoProvas({ onNew }: { readonly onNew: () => void }) {
  return (
    <div className="card">
      <EmptyState
        title="Monte a primeira prova"
        icon={<ClipboardCheck size={22} aria-hidden />}
        action={
          <div className="flex flex-wrap justify-center gap-2">
            <GenerateButton primary />
            <Button className="min-h-11" onClick={onNew}>
              Escrever a minha
            </Button>
          </div>
        }
      >
        As perguntas saem dos seus preços, do seu horário e dos setores. Há também 20 pegadinhas prontas.
      </EmptyState>
    </div>
  )
}

interface ExamProps {
  readonly form: IaForm
  readonly provas: readonly Prova[]
  readonly onNew: () => void
}

function Exam({ form: { ia, changed, change }, provas, onNew }: ExamProps) {
  const { running, summary, error, run } = useExam(ia)
  return (
    <Card>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" className="min-h-11" busy={running} onClick={() => void run()}>
          <Play size={18} aria-hidden /> {running ? 'Perguntando à IA…' : 'Fazer a prova'}
        </Button>
        <GenerateButton />
        <Button className="min-h-11" onClick={onNew}>
          <Plus size={18} aria-hidden /> Nova pergunta
        </Button>
      </div>
      <p className="mt-2 text-sm text-muted">
        {changed ? 'A prova usa o que você mudou e ainda não salvou. ' : 'A prova usa os ajustes salvos. '}
        Ela consome a sua chave: são {formatNumber(provas.length)} {provas.length === 1 ? 'pergunta' : 'perguntas'}.
      </p>
      <div aria-live="polite" className="mt-3 empty:hidden">
        {error !== null && (
          <Notice tone="erro" title={error}>
            O que já foi respondido está guardado. Faça a prova de novo para continuar.
          </Notice>
        )}
        {error === null && summary !== null && <Summary {...summary} />}
      </div>
      <div className="mt-4 border-t border-line pt-4">
        <Switch
          label="Exigir as obrigatórias para salvar"
          hint="Uma mudança na IA só é salva quando ela acerta as perguntas obrigatórias."
          on={ia.exigirProva}
          onChange={(exigirProva) => change({ exigirProva })}
        />
      </div>
    </Card>
  )
}

function Summary({ passaram, falharam, tokens }: ExamSummary) {
  const all = passaram + falharam
  return (
    <Notice
      tone={falharam === 0 ? 'sucesso' : 'espera'}
      title={
        falharam === 0
          ? all === 1
            ? 'A IA acertou a pergunta.'
            : `A IA acertou as ${formatNumber(all)} perguntas.`
          : `A IA errou ${formatNumber(falharam)} de ${formatNumber(all)}.`
      }
    >
      {falharam > 0 && 'Abra cada uma para ver a resposta. '}
      {tokens === 0 ? 'Nada foi gasto: as respostas já estavam guardadas.' : `Tokens gastos: ${formatNumber(tokens)}.`}
    </Notice>
  )
}

interface ProvaListProps {
  readonly provas: readonly Prova[]
  readonly onOpen: (dialog: OpenDialog) => void
}

function ProvaList({ provas, onOpen }: ProvaListProps) {
  const [onlyFailed, setOnlyFailed] = useState(false)
  const failed = provas.filter(({ resultado }) => resultado?.passou === false)
  const shown = onlyFailed && failed.length > 0 ? failed : provas
  return (
    <>
      {failed.length > 0 && (
        <div className="justify-self-start">
          <Switch
            label={`Só as que a IA errou (${formatNumber(failed.length)})`}
            on={onlyFailed}
            onChange={setOnlyFailed}
          />
        </div>
      )}
      <ul aria-label="Perguntas da prova" className="card divide-y">
        {shown.map((prova) => (
          <ProvaItem
            key={prova.id}
            prova={prova}
            onEdit={() => onOpen({ tipo: 'editar', prova })}
            onDelete={() => onOpen({ tipo: 'excluir', prova })}
          />
        ))}
      </ul>
    </>
  )
}

function ProvaDialogs({ dialog, onClose }: { readonly dialog: OpenDialog; readonly onClose: () => void }) {
  const { remove } = useProvaActions()
  switch (dialog.tipo) {
    case 'nova':
      return <ProvaForm prova={null} onClose={onClose} />
    case 'editar':
      return <ProvaForm prova={dialog.prova} onClose={onClose} />
    case 'excluir':
      return (
        <ConfirmDialog
          open
          title="Excluir esta pergunta?"
          confirmLabel="Excluir pergunta"
          onConfirm={() => remove(dialog.prova.id)}
          onClose={onClose}
        >
          “{dialog.prova.pergunta}” sai da prova.
        </ConfirmDialog>
      )
  }
}

function ProvasSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando as provas" className="grid gap-3">
      <Skeleton className="h-28 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-20 w-full" />
    </div>
  )
}
