import { foldAccents } from '@balcao/contract/text/fold-accents'
import type { Setor } from '@balcao/contract/entities/config'
import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { SetorChoice } from '#features/equipe/setor-choice.tsx'
import { findSetor } from '#features/equipe/use-setores.ts'
import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { type RespostaErrors, type DraftResposta, RESPOSTA_TEXT_MAX } from './respostas-draft.ts'
import { respostaFieldName } from './use-respostas-editor.ts'

export interface RespostaRowProps {
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

export function RespostaRow(props: RespostaRowProps) {
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
