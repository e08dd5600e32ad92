import { MessageSquareQuote, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '#shared/ui/button.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { useSetores } from '#features/equipe/use-setores.ts'
import { RespostaRow } from './resposta-row.tsx'
import { RESPOSTAS_MAX } from './respostas-draft.ts'
import { type LoadedRespostas, useRespostas, useRespostasEditor } from './use-respostas-editor.ts'

function RespostasSkeleton() {
  return (
    <div role="status" aria-label="Carregando as respostas" aria-busy="true" className="card divide-y">
      {[0, 1, 2].map((line) => (
        <div key={line} className="grid gap-3 p-4 sm:grid-cols-[12rem_1fr]">
          <Skeleton className="h-10" />
          <Skeleton className="h-16" />
        </div>
      ))}
    </div>
  )
}

function ListFooter({ count, children }: { count: number; children: ReactNode }) {
  return (
    <>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        {children}
        <p className="text-sm text-muted tabular-nums">
          {count} de {RESPOSTAS_MAX}
        </p>
      </div>
      <p className="mt-3 text-sm text-muted">
        No texto, <b>{'{nome}'}</b>, <b>{'{protocolo}'}</b>, <b>{'{operador}'}</b> e <b>{'{empresa}'}</b> são
        preenchidos quando você escolhe a resposta na conversa.
      </p>
    </>
  )
}

export function RespostasPage() {
  return (
    <QueryState drawCard query={useRespostas()} skeleton={<RespostasSkeleton />}>
      {(parsed) => <RespostasEditor loaded={parsed} />}
    </QueryState>
  )
}

function RespostasEditor({ loaded }: { loaded: LoadedRespostas }) {
  const editor = useRespostasEditor(loaded)
  const { draft, errors, guard } = editor
  const setores = useSetores()
  const add = (
    <Button
      variant={draft.length === 0 ? 'primary' : 'outline'}
      className="min-h-11"
      disabled={draft.length >= RESPOSTAS_MAX}
      onClick={editor.add}
    >
      <Plus size={18} aria-hidden /> Adicionar resposta
    </Button>
  )
  return (
    <div>
      {draft.length === 0 ? (
        <div className="card">
          <EmptyState title="Nenhuma resposta rápida" icon={<MessageSquareQuote size={22} aria-hidden />} action={add}>
            Guarde aqui o que você mais escreve. Na conversa, digite <b>/</b> e escolha pelo nome curto.
          </EmptyState>
        </div>
      ) : (
        <>
          <ol aria-label="Respostas rápidas" className="card divide-y">
            {draft.map((reply, index) => (
              <RespostaRow
                key={reply.key}
                resposta={reply}
                setores={setores}
                errors={errors[reply.key] ?? {}}
                first={index === 0}
                last={index === draft.length - 1}
                position={index + 1}
                onChange={(fields) => editor.change(reply.key, fields)}
                onMove={(step) => editor.move(reply.key, step)}
                onRemove={() => editor.remove(reply.key)}
              />
            ))}
          </ol>
          <ListFooter count={draft.length}>{add}</ListFooter>
        </>
      )}
      <p role="status" className="sr-only">
        {editor.announcement}
      </p>
      <SaveBar
        changed={editor.changed}
        saving={editor.saving}
        onDiscard={editor.discard}
        onSave={() => void editor.save()}
      />
      <LeaveUnsavedDialog guard={guard}>O que você mudou nas respostas rápidas se perde.</LeaveUnsavedDialog>
    </div>
  )
}
