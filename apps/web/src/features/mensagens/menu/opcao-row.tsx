import { CONTADOR } from '@balcao/contract/constants'
import type { Setor, TipoOpcao } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, ChevronDown, GripVertical, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextEditor } from '#features/mensagens/textos/text-editor.tsx'
import type { DraftOpcao } from './menu-draft.ts'
import { DEFAULT_REPLY_HINT, OPCAO_TYPES } from './opcao-type.tsx'

export interface OpcaoRowProps {
  readonly opcao: DraftOpcao
  readonly setores: readonly Setor[]
  readonly first: boolean
  readonly last: boolean
  readonly highlighted: boolean
  readonly error: string | undefined
  readonly onChange: (fields: Partial<DraftOpcao>) => void
  readonly onTypeChange: (tipo: TipoOpcao) => void
  readonly onMove: (step: -1 | 1) => void
  readonly onRemove: () => void
  readonly onHighlight: (numero: string | null) => void
  readonly onDragStart: () => void
  readonly onDrop: () => void
}

export function OpcaoRow(props: OpcaoRowProps) {
  const { opcao, error, highlighted, onHighlight } = props
  const id = useId()
  const [arrastavel, setArrastavel] = useState(false)
  return (
    <li
      draggable={arrastavel}
      onDragStart={props.onDragStart}
      onDragOver={(event) => event.preventDefault()}
      onDrop={props.onDrop}
      onDragEnd={() => setArrastavel(false)}
      onMouseEnter={() => onHighlight(opcao.numero)}
      onMouseLeave={() => onHighlight(null)}
      onFocus={() => onHighlight(opcao.numero)}
      onBlur={() => onHighlight(null)}
      className={clsx('rounded-xl border p-2.5 transition-colors', highlighted ? 'border-brand' : 'border-line')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <span
          aria-hidden
          title="Arraste para reordenar"
          onPointerDown={() => setArrastavel(true)}
          onPointerUp={() => setArrastavel(false)}
          className="-mr-1 hidden cursor-grab text-muted sm:block"
        >
          <GripVertical size={18} />
        </span>
        <OpcaoFields {...props} idDoErro={`${id}-erro`} />
      </div>
      {error !== undefined && (
        <p id={`${id}-erro`} role="alert" className="mt-1.5 text-sm font-semibold text-danger-ink sm:pl-5">
          {error}
        </p>
      )}
      <OpcaoFooter {...props} />
    </li>
  )
}

function OpcaoFields({
  opcao,
  setores,
  error,
  idDoErro,
  onChange: onMudar,
  onTypeChange,
}: OpcaoRowProps & { readonly idDoErro: string }) {
  const name = `opção ${opcao.numero}`
  return (
    <>
      <input
        aria-label={`Número da ${name}`}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={error === undefined ? undefined : idDoErro}
        inputMode="numeric"
        maxLength={3}
        value={opcao.numero}
        onChange={({ currentTarget }) => onMudar({ numero: currentTarget.value.trim() })}
        className="field !w-14 !px-1 text-center font-bold tabular-nums"
      />
      <input
        aria-label={`Título da ${name}`}
        maxLength={200}
        value={opcao.titulo}
        onChange={({ currentTarget }) => onMudar({ titulo: currentTarget.value })}
        className="field !w-auto min-w-0 flex-1 basis-44"
      />
      <select
        aria-label={`Tipo da ${name}`}
        value={opcao.tipo}
        onChange={({ currentTarget }) => {
          const found = OPCAO_TYPES.find(({ tipo }) => tipo === currentTarget.value)
          if (found !== undefined) onTypeChange(found.tipo)
        }}
        className="field !w-auto flex-1 basis-28 sm:flex-none"
      >
        {OPCAO_TYPES.map(({ tipo, rotulo }) => (
          <option key={tipo} value={tipo}>
            {rotulo}
          </option>
        ))}
      </select>
      {opcao.tipo === 'humano' && (
        <select
          aria-label={`Setor da ${name}`}
          value={opcao.setor ?? 'geral'}
          onChange={({ currentTarget }) => onMudar({ setor: currentTarget.value })}
          className="field !w-auto flex-1 basis-28 sm:flex-none"
        >
          {setores.map((setor) => (
            <option key={setor.id} value={setor.id}>
              {setor.nome}
            </option>
          ))}
        </select>
      )}
    </>
  )
}

function OpcaoFooter({ opcao, first, last, onChange: onMudar, onMove, onRemove }: OpcaoRowProps) {
  const id = useId()
  const [open, setAberta] = useState(opcao.tipo === 'mensagem')
  const semResposta = DEFAULT_REPLY_HINT[opcao.tipo]
  const name = `opção ${opcao.numero}`
  return (
    <>
      <div className="mt-1 flex items-center gap-1 sm:pl-5">
        {opcao.tipo === 'finalizar' ? (
          <p className="mr-auto text-sm text-muted">{DEFAULT_REPLY_HINT.finalizar}</p>
        ) : (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setAberta(!open)}
            className="btn btn-ghost btn-sm mr-auto -ml-2 !min-h-9 text-left !whitespace-normal text-brand-ink"
          >
            <ChevronDown size={16} aria-hidden className={clsx('transition-transform', !open && '-rotate-90')} />
            Resposta{opcao.resposta.trim() === '' && ' (vazia)'}
          </button>
        )}
        <IconButton
          label={`Subir a ${name}`}
          tooltip={false}
          disabled={first}
          icon={<ArrowUp size={18} aria-hidden />}
          onClick={() => onMove(-1)}
        />
        <IconButton
          label={`Descer a ${name}`}
          tooltip={false}
          disabled={last}
          icon={<ArrowDown size={18} aria-hidden />}
          onClick={() => onMove(1)}
        />
        <IconButton
          label={`Remover a ${name}`}
          tooltip={false}
          className="hover:text-danger-ink"
          icon={<Trash2 size={18} aria-hidden />}
          onClick={onRemove}
        />
      </div>
      <div id={id} hidden={!open || opcao.tipo === 'finalizar'} className="mt-1 sm:pl-5">
        <TextEditor
          label={`Resposta da ${name}`}
          value={opcao.resposta}
          counter={CONTADOR.mensagem}
          editing
          onChange={(resposta) => onMudar({ resposta })}
          hint={semResposta === undefined ? undefined : `Se ficar vazia: ${semResposta}`}
        />
      </div>
    </>
  )
}
