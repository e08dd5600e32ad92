import { useEffect, useRef, useState } from 'react'
import { formatMarks } from './format-marks.tsx'
import type { Bubble } from './transcript.ts'
import type { Preview } from './use-preview.ts'

interface PreviewMessagesProps {
  readonly preview: Pick<Preview, 'bubbles' | 'typing' | 'skip'>
  readonly highlighted: string | null
  readonly onOptionHighlighted?: ((numero: string | null) => void) | undefined
}

export function PreviewMessages({ preview, highlighted, onOptionHighlighted }: PreviewMessagesProps) {
  'use no memo'
  const { bubbles, typing, skip } = preview
  const wall = useRef<HTMLDivElement>(null)
  const [iniciais] = useState(bubbles.length)
  const seen = useRef(bubbles.length)
  useEffect(() => {
    const target = wall.current
    // No scroll on the first render: the page must not move under the reader.
    if (target === null || (seen.current === bubbles.length && !typing)) return
    seen.current = bubbles.length
    target.scrollTop = target.scrollHeight
  }, [bubbles.length, typing])
  return (
    <div
      ref={wall}
      role="log"
      aria-label="Mensagens"
      // A scrollable area must be reachable by keyboard.
      tabIndex={0}
      className="wall relative flex h-[22.5rem] flex-col gap-2 overflow-y-auto overscroll-contain px-3 py-4 text-[0.9rem] leading-[1.4]"
      onPointerDown={typing ? skip : undefined}
    >
      {bubbles.map((bolha) => (
        <PreviewBubble
          key={bolha.id}
          bubble={bolha}
          animated={bolha.id >= iniciais}
          highlighted={highlighted}
          onOptionHighlighted={onOptionHighlighted}
        />
      ))}
      {typing && (
        <p aria-hidden className="flex gap-1 self-start rounded-2xl rounded-bl-md bg-surface px-4 py-3.5 shadow-card">
          <i className={DOT_CLASS} />
          <i className={`${DOT_CLASS} [animation-delay:.2s]`} />
          <i className={`${DOT_CLASS} [animation-delay:.4s]`} />
        </p>
      )}
    </div>
  )
}

const DOT_CLASS = 'pulse-dot size-1.5 rounded-full bg-muted'
const BUBBLE_CLASS = 'max-w-[86%] rounded-2xl px-3.5 py-2 break-words whitespace-pre-wrap shadow-card'

interface PreviewBubbleProps extends Omit<PreviewMessagesProps, 'preview'> {
  readonly bubble: Bubble
  readonly animated: boolean
}

function PreviewBubble({ bubble, animated, highlighted, onOptionHighlighted }: PreviewBubbleProps) {
  'use no memo'
  switch (bubble.tipo) {
    case 'nota':
      return (
        <p className="my-1 max-w-[92%] self-center rounded-full bg-info-soft px-3 py-1 text-center text-xs font-semibold text-info-ink">
          {bubble.texto}
        </p>
      )
    case 'cliente':
      return (
        <p data-de="cliente" className={`${BUBBLE_CLASS} self-end rounded-br-md bg-bubble`}>
          {bubble.texto}
        </p>
      )
    case 'bot':
      return (
        <div className={`${BUBBLE_CLASS} self-start rounded-bl-md bg-surface ${animated ? 'rise' : ''}`}>
          {bubble.imagemUrl !== undefined && (
            <img src={bubble.imagemUrl} alt="" className="mb-1.5 max-h-44 w-full rounded-lg object-cover" />
          )}
          {bubble.texto.split('\n').map((linha, index) => (
            <PreviewLine
              // oxlint-disable-next-line react/no-array-index-key -- a line of a transcript never moves
              key={index}
              line={linha}
              optionNumber={bubble.opcoes.get(index) ?? null}
              highlighted={highlighted}
              onOptionHighlighted={onOptionHighlighted}
            />
          ))}
        </div>
      )
  }
}

interface PreviewLineProps extends Omit<PreviewMessagesProps, 'preview'> {
  readonly line: string
  readonly optionNumber: string | null
}

function PreviewLine({ line, optionNumber, highlighted, onOptionHighlighted }: PreviewLineProps) {
  'use no memo'
  if (optionNumber === null) return <span className="block min-h-[1.4em]">{formatMarks(line)}</span>
  return (
    <span
      data-opcao={optionNumber}
      data-destacada={optionNumber === highlighted}
      className={`-mx-1.5 block rounded-md px-1.5 ${optionNumber === highlighted ? 'bg-brand-soft text-brand-ink' : ''}`}
      onMouseEnter={() => onOptionHighlighted?.(optionNumber)}
      onMouseLeave={() => onOptionHighlighted?.(null)}
    >
      {formatMarks(line)}
    </span>
  )
}
