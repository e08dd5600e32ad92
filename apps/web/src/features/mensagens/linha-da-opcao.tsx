import { CONTADOR } from '@balcao/contract/constants'
import type { Setor, TipoOpcao } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, GripVertical, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { EditorDeTexto } from './editor-de-texto.tsx'
import type { OpcaoEditada } from './rascunho.ts'

export const ROTULO_DO_TIPO: Readonly<Record<TipoOpcao, string>> = {
  ia: 'IA',
  humano: 'Atendente',
  mensagem: 'Mensagem',
  finalizar: 'Finalizar',
  menu: 'Menu',
  loja: 'Loja',
}
const TIPOS: readonly TipoOpcao[] = ['ia', 'humano', 'mensagem', 'finalizar', 'menu', 'loja']

export interface LinhaDaOpcaoProps {
  readonly opcao: OpcaoEditada
  readonly setores: readonly Setor[]
  readonly editando: boolean
  readonly primeira: boolean
  readonly ultima: boolean
  readonly destacada: boolean
  readonly erro?: string | undefined
  readonly onMudar: (campos: Partial<OpcaoEditada>) => void
  readonly onTipo: (tipo: TipoOpcao) => void
  readonly onMover: (passo: -1 | 1) => void
  readonly onRemover: () => void
  readonly onDestacar: (numero: string | null) => void
  readonly onArrastar: () => void
  readonly onSoltar: () => void
}

/** One option of the menu: number, title and kind in a line; the reply, and the sector of a hand-off, under it. */
export function LinhaDaOpcao(props: LinhaDaOpcaoProps) {
  const { opcao, setores, editando, erro, destacada, onMudar, onTipo } = props
  const id = useId()
  const [arrastavel, setArrastavel] = useState(false)
  const nome = `opção ${opcao.numero}`
  return (
    <li
      draggable={arrastavel}
      onDragStart={props.onArrastar}
      onDragOver={(evento) => evento.preventDefault()}
      onDrop={props.onSoltar}
      onDragEnd={() => setArrastavel(false)}
      onMouseEnter={() => props.onDestacar(opcao.numero)}
      onMouseLeave={() => props.onDestacar(null)}
      onFocus={() => props.onDestacar(opcao.numero)}
      onBlur={() => props.onDestacar(null)}
      className={clsx(
        'rounded-xl border p-2 transition-colors sm:p-3',
        destacada ? 'border-brand bg-brand-soft' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center gap-2">
        {editando && (
          <span
            aria-hidden
            title="Arraste para reordenar"
            onPointerDown={() => setArrastavel(true)}
            onPointerUp={() => setArrastavel(false)}
            className="hidden cursor-grab text-muted sm:block"
          >
            <GripVertical size={18} />
          </span>
        )}
        <input
          aria-label={`Número da ${nome}`}
          aria-invalid={erro === undefined ? undefined : true}
          aria-describedby={erro === undefined ? undefined : `${id}-erro`}
          inputMode="numeric"
          maxLength={3}
          readOnly={!editando}
          value={opcao.numero}
          onChange={({ currentTarget }) => onMudar({ numero: currentTarget.value.trim() })}
          className="field !w-14 text-center font-bold tabular-nums"
        />
        <input
          aria-label={`Título da ${nome}`}
          maxLength={200}
          readOnly={!editando}
          value={opcao.titulo}
          onChange={({ currentTarget }) => onMudar({ titulo: currentTarget.value })}
          className="field min-w-0 flex-1 basis-40"
        />
        <select
          aria-label={`Tipo da ${nome}`}
          disabled={!editando}
          value={opcao.tipo}
          onChange={({ currentTarget }) => {
            const tipo = TIPOS.find((valor) => valor === currentTarget.value)
            if (tipo !== undefined) onTipo(tipo)
          }}
          className="field !w-auto flex-1 basis-28 disabled:opacity-100 sm:flex-none"
        >
          {TIPOS.map((tipo) => (
            <option key={tipo} value={tipo}>
              {ROTULO_DO_TIPO[tipo]}
            </option>
          ))}
        </select>
        {opcao.tipo === 'humano' && (
          <select
            aria-label={`Setor da ${nome}`}
            disabled={!editando}
            value={opcao.setor ?? 'geral'}
            onChange={({ currentTarget }) => onMudar({ setor: currentTarget.value })}
            className="field !w-auto flex-1 basis-28 disabled:opacity-100 sm:flex-none"
          >
            {setores.map((setor) => (
              <option key={setor.id} value={setor.id}>
                {setor.nome}
              </option>
            ))}
          </select>
        )}
        {editando && (
          <span className="ml-auto flex">
            <IconButton
              rotulo={`Subir a ${nome}`}
              dica={false}
              disabled={props.primeira}
              icone={<ArrowUp size={18} aria-hidden />}
              onClick={() => props.onMover(-1)}
            />
            <IconButton
              rotulo={`Descer a ${nome}`}
              dica={false}
              disabled={props.ultima}
              icone={<ArrowDown size={18} aria-hidden />}
              onClick={() => props.onMover(1)}
            />
            <IconButton
              rotulo={`Remover a ${nome}`}
              dica={false}
              icone={<Trash2 size={18} aria-hidden />}
              onClick={props.onRemover}
            />
          </span>
        )}
      </div>
      {erro !== undefined && (
        <p id={`${id}-erro`} role="alert" className="mt-1 text-sm font-semibold text-danger-ink">
          {erro}
        </p>
      )}
      <Resposta opcao={opcao} editando={editando} onMudar={(resposta) => onMudar({ resposta })} />
    </li>
  )
}

const SEM_RESPOSTA: Readonly<Partial<Record<TipoOpcao, string>>> = {
  finalizar: 'O cliente recebe a mensagem automática “Despedida”.',
  humano: 'Vazio: o cliente recebe a mensagem automática “Aguardando atendente”.',
}

function Resposta({
  opcao,
  editando,
  onMudar,
}: {
  opcao: OpcaoEditada
  editando: boolean
  onMudar: (resposta: string) => void
}) {
  if (opcao.tipo === 'finalizar') return <p className="mt-2 text-sm text-muted">{SEM_RESPOSTA.finalizar}</p>
  return (
    <details className="mt-2" open={editando && opcao.tipo === 'mensagem'}>
      <summary className="w-fit rounded-lg py-1 text-sm font-semibold text-brand-ink">
        Resposta{opcao.resposta.trim() === '' ? ' (vazia)' : ''}
      </summary>
      <div className="pt-1">
        <EditorDeTexto
          rotulo={`Resposta da opção ${opcao.numero}`}
          valor={opcao.resposta}
          contador={CONTADOR.mensagem}
          editando={editando}
          onMudar={onMudar}
          dica={SEM_RESPOSTA[opcao.tipo]}
        />
      </div>
    </details>
  )
}
