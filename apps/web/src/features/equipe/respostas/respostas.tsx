import { MessageSquareQuote, Plus, ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useGapDraft } from '#shared/ia/gap-draft.ts'
import { Button } from '#shared/ui/button.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { useSetores, SetorChoice, findSetor } from '#features/equipe/setores.tsx'
import { RESPOSTAS_MAX, type RespostaErrors, type DraftResposta, RESPOSTA_TEXT_MAX } from './respostas-draft.ts'
import { type LoadedRespostas, useRespostas, useRespostasEditor, respostaFieldName } from './use-respostas-editor.ts'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Setor } from '@balcao/contract/entities/config'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'

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
        No texto, <b>{'{nome}'}</b>, <b>{'{protocolo}'}</b>, <b>{'{operador}'}</b>, <b>{'{empresa}'}</b> e{' '}
        <b>{'{linha}'}</b> são preenchidos quando você escolhe a resposta na conversa.
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
  useGapDraft('resposta', editor.answerGap)
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

interface RespostaRowProps {
  readonly resposta: DraftResposta
  readonly setores: readonly Setor[]
  readonly errors: RespostaErrors
  readonly position: number
  readonly first: boolean
  readonly last: boolean
  readonly onChange: (fields: Partial<RespostaRapida>) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
}

function cleanAtalho(written: string): string {
  return foldAccents(written).replace(/^\/+/, '').replace(/\s+/g, '-')
}

function RespostaRow(props: RespostaRowProps) {
  const { resposta, errors, setores, onChange } = props
  const { key, atalho, texto } = resposta
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-3 p-3 sm:gap-x-3 sm:grid-cols-[12rem_minmax(0,1fr)_auto] sm:p-4">
      <Field label="Atalho" error={errors.atalho}>
        {(link) => (
          <div className="relative">
            <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center font-bold text-muted">
              /
            </span>
            <input
              {...link}
              name={respostaFieldName(key, 'atalho')}
              className="field min-h-11 pl-6.5 font-semibold"
              maxLength={30}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={atalho}
              onChange={({ currentTarget }) => onChange({ atalho: cleanAtalho(currentTarget.value) })}
            />
          </div>
        )}
      </Field>
      <Field
        label="Texto"
        className="max-sm:col-span-2"
        error={errors.texto}
        aside={texto.length > RESPOSTA_TEXT_MAX * 0.9 && <Counter usado={texto.length} total={RESPOSTA_TEXT_MAX} />}
      >
        {(link) => (
          <textarea
            {...link}
            name={respostaFieldName(key, 'texto')}
            rows={2}
            maxLength={RESPOSTA_TEXT_MAX}
            className="field resize-none field-sizing-content max-h-64 min-h-16"
            value={texto}
            onChange={({ currentTarget }) => onChange({ texto: currentTarget.value })}
          />
        )}
      </Field>
      <RowButtons {...props} />
      {/* Without setores to choose, every reply is for all. */}
      {setores.length > 1 && <RespostaSetores {...props} />}
    </li>
  )
}

function RespostaSetores({ resposta, errors, setores, onChange }: RespostaRowProps) {
  const { atalho, setores: chosen } = resposta
  const names = chosen.map((id) => findSetor(setores, id).nome)
  const error = errors.setores
  return (
    <details className="col-span-full" open={error === undefined ? undefined : true}>
      <summary className="flex min-h-11 w-fit cursor-pointer items-center text-sm font-semibold text-muted">
        <span className="sr-only">Setores de /{atalho}: </span>
        {names.length === 0 ? 'Para todos os setores' : `Só para ${names.join(', ')}`}
      </summary>
      <SetorChoice
        legend="Setores que usam esta resposta"
        hint="Nenhum marcado: todos os setores usam."
        setores={setores}
        chosen={chosen}
        error={error}
        onChange={(next) => onChange({ setores: next })}
      />
    </details>
  )
}

function RowButtons({ resposta: { atalho }, position, first, last, onMove, onRemove }: RespostaRowProps) {
  const name = atalho === '' ? `resposta ${position}` : `/${atalho}`
  return (
    <div className="flex pt-6 max-sm:col-start-2 max-sm:row-start-1">
      <IconButton
        label={`Subir ${name}`}
        tooltip={false}
        size="touch"
        disabled={first}
        icon={<ArrowUp size={18} aria-hidden />}
        onClick={() => onMove(-1)}
      />
      <IconButton
        label={`Descer ${name}`}
        tooltip={false}
        size="touch"
        disabled={last}
        icon={<ArrowDown size={18} aria-hidden />}
        onClick={() => onMove(1)}
      />
      <IconButton
        label={`Remover ${name}`}
        tooltip={false}
        size="touch"
        icon={<Trash2 size={18} aria-hidden />}
        onClick={onRemove}
      />
    </div>
  )
}
