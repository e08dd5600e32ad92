import { useEffect, useRef, useState } from 'react'
import { formatar } from './formatar.tsx'
import type { Bolha } from './transcript.ts'
import type { Preview } from './use-preview.ts'

interface Props {
  readonly preview: Pick<Preview, 'bolhas' | 'digitando' | 'skip'>
  readonly destaque: string | null
  readonly onOpcaoDestacada?: ((numero: string | null) => void) | undefined
}

export function Conversa({ preview, destaque, onOpcaoDestacada }: Props) {
  'use no memo'
  const { bolhas, digitando, skip } = preview
  const parede = useRef<HTMLDivElement>(null)
  const [iniciais] = useState(bolhas.length)
  const vistas = useRef(bolhas.length)
  useEffect(() => {
    const alvo = parede.current
    // No scroll on the first render: the page must not move under the reader.
    if (alvo === null || (vistas.current === bolhas.length && !digitando)) return
    vistas.current = bolhas.length
    alvo.scrollTop = alvo.scrollHeight
  }, [bolhas.length, digitando])
  return (
    <div
      ref={parede}
      role="log"
      aria-label="Mensagens"
      // A scrollable area must be reachable by keyboard.
      tabIndex={0}
      className="wall relative flex h-[22.5rem] flex-col gap-2 overflow-y-auto overscroll-contain px-3 py-4 text-[0.9rem] leading-[1.4]"
      onPointerDown={digitando ? skip : undefined}
    >
      {bolhas.map((bolha) => (
        <UmaBolha
          key={bolha.id}
          bolha={bolha}
          chegou={bolha.id >= iniciais}
          destaque={destaque}
          onOpcaoDestacada={onOpcaoDestacada}
        />
      ))}
      {digitando && (
        <p aria-hidden className="flex gap-1 self-start rounded-2xl rounded-bl-md bg-surface px-4 py-3.5 shadow-card">
          <i className={PONTO} />
          <i className={`${PONTO} [animation-delay:.2s]`} />
          <i className={`${PONTO} [animation-delay:.4s]`} />
        </p>
      )}
    </div>
  )
}

const PONTO = 'pulse-dot size-1.5 rounded-full bg-muted'
const BALAO = 'max-w-[86%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap shadow-card'

interface UmaBolhaProps extends Omit<Props, 'preview'> {
  readonly bolha: Bolha
  readonly chegou: boolean
}

function UmaBolha({ bolha, chegou, destaque, onOpcaoDestacada }: UmaBolhaProps) {
  'use no memo'
  switch (bolha.tipo) {
    case 'nota':
      return (
        <p className="my-1 max-w-[92%] self-center rounded-full bg-info-soft px-3 py-1 text-center text-xs font-semibold text-info-ink">
          {bolha.texto}
        </p>
      )
    case 'cliente':
      return (
        <p data-de="cliente" className={`${BALAO} self-end rounded-br-md bg-bubble`}>
          {bolha.texto}
        </p>
      )
    case 'bot':
      return (
        <div className={`${BALAO} self-start rounded-bl-md bg-surface ${chegou ? 'rise' : ''}`}>
          {bolha.imagemUrl !== undefined && (
            <img src={bolha.imagemUrl} alt="" className="mb-1.5 max-h-44 w-full rounded-lg object-cover" />
          )}
          {bolha.texto.split('\n').map((linha, indice) => (
            <Linha
              // oxlint-disable-next-line react/no-array-index-key -- a line of a transcript never moves
              key={indice}
              linha={linha}
              numero={bolha.opcoes.get(indice) ?? null}
              destaque={destaque}
              onOpcaoDestacada={onOpcaoDestacada}
            />
          ))}
        </div>
      )
  }
}

interface LinhaProps extends Omit<Props, 'preview'> {
  readonly linha: string
  readonly numero: string | null
}

function Linha({ linha, numero, destaque, onOpcaoDestacada }: LinhaProps) {
  'use no memo'
  if (numero === null) return <span className="block min-h-[1.4em]">{formatar(linha)}</span>
  return (
    <span
      data-opcao={numero}
      data-destacada={numero === destaque}
      className={`-mx-1.5 block rounded-md px-1.5 ${numero === destaque ? 'bg-brand-soft text-brand-ink' : ''}`}
      onMouseEnter={() => onOpcaoDestacada?.(numero)}
      onMouseLeave={() => onOpcaoDestacada?.(null)}
    >
      {formatar(linha)}
    </span>
  )
}
