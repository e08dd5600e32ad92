import type { Setor, TipoOpcao } from '@balcao/contract/entities/config'
import { Plus, ArrowDown, ArrowUp, ChevronDown, GripVertical, Trash2 } from 'lucide-react'
import { useState, useId } from 'react'
import { Button } from '#shared/ui/button.tsx'
import type { MenuEditorState } from '#features/mensagens/use-menu-editor.ts'
import { addOpcao, numeroError, moveOpcao, updateOpcao, updateOpcaoTipo, type DraftOpcao } from './menu-draft.ts'
import { CONTADOR } from '@balcao/contract/constants'
import clsx from 'clsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { TextEditor } from '#features/mensagens/textos/text-editor.tsx'
import { DEFAULT_REPLY_HINT, OPCAO_TYPES } from './opcao-type.tsx'

export interface OpcaoListProps {
  readonly editor: MenuEditorState
  readonly setores: readonly Setor[]
  readonly iaActive: boolean
  readonly highlighted: string | null
  readonly onHighlight: (numero: string | null) => void
}

export function OpcoesEditor({ editor, setores, highlighted, onHighlight }: OpcaoListProps) {
  const { draft, change, remove } = editor
  const [dragged, setDragged] = useState<string | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const move = (key: string, to: number): void => {
    change((current) => moveOpcao(current, key, to))
    const title = draft.opcoes.find((opcao) => opcao.key === key)?.titulo ?? ''
    setAnnouncement(`${title} movida para a posição ${to + 1} de ${draft.opcoes.length}`)
  }
  return (
    <>
      <ul className="grid gap-2.5">
        {draft.opcoes.map((opcao, index) => (
          <OpcaoRow
            key={opcao.key}
            opcao={opcao}
            setores={setores}
            first={index === 0}
            last={index === draft.opcoes.length - 1}
            highlighted={highlighted === opcao.numero}
            error={numeroError(draft, opcao)}
            onChange={(fields) => change((current) => updateOpcao(current, opcao.key, fields))}
            onTypeChange={(tipo) => change((current) => updateOpcaoTipo(current, opcao.key, tipo))}
            onMove={(step) => move(opcao.key, index + step)}
            onRemove={() => remove(opcao.key)}
            onHighlight={onHighlight}
            onDragStart={() => setDragged(opcao.key)}
            onDrop={() => {
              if (dragged !== null) move(dragged, index)
              setDragged(null)
            }}
          />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <Button className="mt-3 max-sm:min-h-11 max-sm:w-full" onClick={() => change((current) => addOpcao(current))}>
        <Plus size={16} aria-hidden /> Adicionar opção
      </Button>
    </>
  )
}

interface OpcaoRowProps {
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

function OpcaoRow(props: OpcaoRowProps) {
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
