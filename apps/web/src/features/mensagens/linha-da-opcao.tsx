import { CONTADOR } from '@balcao/contract/constants'
import type { Setor, TipoOpcao } from '@balcao/contract/entities/config'
import clsx from 'clsx'
import { ArrowDown, ArrowUp, ChevronDown, GripVertical, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { EditorDeTexto } from './editor-de-texto.tsx'
import type { OpcaoEditada } from './rascunho.ts'
import { SEM_RESPOSTA, TIPOS } from './tipo-da-opcao.tsx'

export interface LinhaDaOpcaoProps {
  readonly opcao: OpcaoEditada
  readonly setores: readonly Setor[]
  readonly primeira: boolean
  readonly ultima: boolean
  readonly destacada: boolean
  readonly erro: string | undefined
  readonly onMudar: (campos: Partial<OpcaoEditada>) => void
  readonly onTipo: (tipo: TipoOpcao) => void
  readonly onMover: (passo: -1 | 1) => void
  readonly onRemover: () => void
  readonly onDestacar: (numero: string | null) => void
  readonly onArrastar: () => void
  readonly onSoltar: () => void
}

export function LinhaDaOpcao(props: LinhaDaOpcaoProps) {
  const { opcao, erro, destacada, onDestacar } = props
  const id = useId()
  const [arrastavel, setArrastavel] = useState(false)
  return (
    <li
      draggable={arrastavel}
      onDragStart={props.onArrastar}
      onDragOver={(evento) => evento.preventDefault()}
      onDrop={props.onSoltar}
      onDragEnd={() => setArrastavel(false)}
      onMouseEnter={() => onDestacar(opcao.numero)}
      onMouseLeave={() => onDestacar(null)}
      onFocus={() => onDestacar(opcao.numero)}
      onBlur={() => onDestacar(null)}
      className={clsx('rounded-xl border p-2.5 transition-colors', destacada ? 'border-brand' : 'border-line')}
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
        <Campos {...props} idDoErro={`${id}-erro`} />
      </div>
      {erro !== undefined && (
        <p id={`${id}-erro`} role="alert" className="mt-1.5 text-sm font-semibold text-danger-ink sm:pl-5">
          {erro}
        </p>
      )}
      <Rodape {...props} />
    </li>
  )
}

function Campos({
  opcao,
  setores,
  erro,
  idDoErro,
  onMudar,
  onTipo,
}: LinhaDaOpcaoProps & { readonly idDoErro: string }) {
  const nome = `opção ${opcao.numero}`
  return (
    <>
      <input
        aria-label={`Número da ${nome}`}
        aria-invalid={erro === undefined ? undefined : true}
        aria-describedby={erro === undefined ? undefined : idDoErro}
        inputMode="numeric"
        maxLength={3}
        value={opcao.numero}
        onChange={({ currentTarget }) => onMudar({ numero: currentTarget.value.trim() })}
        className="field !w-14 !px-1 text-center font-bold tabular-nums"
      />
      <input
        aria-label={`Título da ${nome}`}
        maxLength={200}
        value={opcao.titulo}
        onChange={({ currentTarget }) => onMudar({ titulo: currentTarget.value })}
        className="field !w-auto min-w-0 flex-1 basis-44"
      />
      <select
        aria-label={`Tipo da ${nome}`}
        value={opcao.tipo}
        onChange={({ currentTarget }) => {
          const achado = TIPOS.find(({ tipo }) => tipo === currentTarget.value)
          if (achado !== undefined) onTipo(achado.tipo)
        }}
        className="field !w-auto flex-1 basis-28 sm:flex-none"
      >
        {TIPOS.map(({ tipo, rotulo }) => (
          <option key={tipo} value={tipo}>
            {rotulo}
          </option>
        ))}
      </select>
      {opcao.tipo === 'humano' && (
        <select
          aria-label={`Setor da ${nome}`}
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

function Rodape({ opcao, primeira, ultima, onMudar, onMover, onRemover }: LinhaDaOpcaoProps) {
  const id = useId()
  const [aberta, setAberta] = useState(opcao.tipo === 'mensagem')
  const semResposta = SEM_RESPOSTA[opcao.tipo]
  const nome = `opção ${opcao.numero}`
  return (
    <>
      <div className="mt-1 flex items-center gap-1 sm:pl-5">
        {opcao.tipo === 'finalizar' ? (
          <p className="mr-auto text-sm text-muted">{SEM_RESPOSTA.finalizar}</p>
        ) : (
          <button
            type="button"
            aria-expanded={aberta}
            aria-controls={id}
            onClick={() => setAberta(!aberta)}
            className="btn btn-ghost btn-sm mr-auto -ml-2 !min-h-9 text-left !whitespace-normal text-brand-ink"
          >
            <ChevronDown size={16} aria-hidden className={clsx('transition-transform', !aberta && '-rotate-90')} />
            Resposta{opcao.resposta.trim() === '' && ' (vazia)'}
          </button>
        )}
        <IconButton
          rotulo={`Subir a ${nome}`}
          dica={false}
          disabled={primeira}
          icone={<ArrowUp size={18} aria-hidden />}
          onClick={() => onMover(-1)}
        />
        <IconButton
          rotulo={`Descer a ${nome}`}
          dica={false}
          disabled={ultima}
          icone={<ArrowDown size={18} aria-hidden />}
          onClick={() => onMover(1)}
        />
        <IconButton
          rotulo={`Remover a ${nome}`}
          dica={false}
          className="hover:text-danger-ink"
          icone={<Trash2 size={18} aria-hidden />}
          onClick={onRemover}
        />
      </div>
      <div id={id} hidden={!aberta || opcao.tipo === 'finalizar'} className="mt-1 sm:pl-5">
        <EditorDeTexto
          rotulo={`Resposta da ${nome}`}
          valor={opcao.resposta}
          contador={CONTADOR.mensagem}
          editando
          onMudar={(resposta) => onMudar({ resposta })}
          dica={semResposta === undefined ? undefined : `Se ficar vazia: ${semResposta}`}
        />
      </div>
    </>
  )
}
