import { CONTADOR } from '@balcao/contract/constants'
import type { IaConfig } from '@balcao/contract/entities/config'
import { Plus, X } from 'lucide-react'
import { Card } from '#shared/ui/card.tsx'
import { focusIaField, type IaChange } from './use-ia-form.ts'
import { LongText } from '#shared/form/long-text.tsx'
import { foldAccents } from '@balcao/contract/text/fold-accents'
import { useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { TextField } from '#shared/ui/text-field.tsx'

const TRAINING_EXAMPLES = [
  { rotulo: 'Quem somos', texto: 'Somos a [nome da empresa], em [cidade]. Vendemos [o que vendemos].' },
  { rotulo: 'Tom de voz', texto: 'Fale de forma simples e simpática, em frases curtas, chamando o cliente pelo nome.' },
  { rotulo: 'Entrega', texto: 'Entregamos em [bairros], em até [prazo]. A taxa é de [valor].' },
  { rotulo: 'Pagamento', texto: 'Aceitamos Pix, cartão e dinheiro.' },
  { rotulo: 'O que não fazer', texto: 'Não prometa descontos nem prazos: nesses casos, chame um atendente.' },
] as const

interface TrainingCardProps {
  readonly ia: IaConfig
  readonly error: string | undefined
  readonly change: (change: IaChange) => void
}

export function TrainingCard({ ia: { promptTreinamento }, error, change }: TrainingCardProps) {
  const append = (text: string): void => {
    change((current) => ({ promptTreinamento: `${current.promptTreinamento.trimEnd()}\n${text}`.trimStart() }))
    focusIaField('promptTreinamento')
  }
  const missing = TRAINING_EXAMPLES.filter(({ texto }) => !promptTreinamento.includes(texto))
  return (
    <Card heading="Treinamento">
      <LongText
        name="promptTreinamento"
        label="Prompt de treinamento"
        value={promptTreinamento}
        total={CONTADOR.promptTreinamento}
        rows={6}
        error={error}
        hint="Conte o que a IA precisa saber. Os produtos da loja e o horário de atendimento ela já conhece."
        onChange={(text) => change({ promptTreinamento: text })}
      />
      {missing.length > 0 && (
        <div role="group" aria-label="Acrescentar ao prompt" className="mt-3 flex flex-wrap gap-2">
          {missing.map(({ rotulo, texto }) => (
            <button
              key={rotulo}
              type="button"
              title={texto}
              className="flex min-h-9 items-center gap-1.5 rounded-full border border-line px-3 text-sm font-semibold text-brand-ink hover:bg-brand-soft"
              onClick={() => append(texto)}
            >
              <Plus size={14} aria-hidden /> {rotulo}
            </button>
          ))}
        </div>
      )}
    </Card>
  )
}

const WORD_MAX = 100

/** Normalizes like the engine: case, accents and spacing do not matter. */
function foldWord(word: string): string {
  return foldAccents(word).replace(/\s+/g, ' ').trim()
}

interface SplitWords {
  readonly added: readonly string[]
  readonly repeated: readonly string[]
}

function splitWords(typed: string, current: readonly string[]): SplitWords {
  const seen = new Set(current.map(foldWord))
  const added: string[] = []
  const repeated: string[] = []
  for (const part of typed.split(',')) {
    const word = part.replace(/\s+/g, ' ').trim().slice(0, WORD_MAX)
    if (word === '') continue
    if (seen.has(foldWord(word))) repeated.push(word)
    else added.push(word)
    seen.add(foldWord(word))
  }
  return { added, repeated }
}

interface GatilhosProps {
  readonly gatilhos: readonly string[]
  readonly error: string | undefined
  readonly change: (change: IaChange) => void
}

export function GatilhosCard({ gatilhos, error, change }: GatilhosProps) {
  const list = useRef<HTMLUListElement>(null)

  function remove(gatilho: string, index: number): void {
    change((current) => ({ gatilhos: current.gatilhos.filter((other) => other !== gatilho) }))
    notify.sucesso(`“${gatilho}” removida`, {
      action: { label: 'Desfazer', run: () => change((current) => putBackGatilho(current.gatilhos, gatilho, index)) },
    })
    // The pressed button was removed: focus moves to the next one, or to the field.
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll('button')
      const neighbour = buttons?.[Math.min(index, buttons.length - 1)]
      if (neighbour === undefined) focusIaField('gatilhos')
      else neighbour.focus()
    })
  }

  return (
    <Card heading="Palavras que acionam a IA">
      <p className="mb-3 text-sm text-muted">
        {gatilhos.length === 0
          ? 'Nenhuma palavra ainda: a IA só é chamada pelo menu ou por “Sempre responder”.'
          : 'Quem escreve uma delas, em qualquer parte da mensagem, fala com a IA.'}
      </p>
      <ul ref={list} className="mb-4 flex flex-wrap gap-2 empty:hidden">
        {gatilhos.map((gatilho, index) => (
          <li
            key={gatilho}
            className="flex max-w-full items-center rounded-full bg-info-soft pl-4 text-sm font-semibold text-info-ink"
          >
            <span className="min-w-0 break-words">{gatilho}</span>
            <button
              type="button"
              aria-label={`Remover ${gatilho}`}
              className="grid size-11 flex-none place-items-center rounded-full"
              onClick={() => remove(gatilho, index)}
            >
              <X size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <NewGatilho gatilhos={gatilhos} error={error} change={change} />
    </Card>
  )
}

function NewGatilho({ gatilhos, error, change }: GatilhosProps) {
  const [typed, setTyped] = useState('')
  const [repeated, setRepeated] = useState<readonly string[]>([])

  function add(): void {
    const words = splitWords(typed, gatilhos)
    setTyped('')
    setRepeated(words.repeated)
    if (words.added.length > 0) change((current) => ({ gatilhos: [...current.gatilhos, ...words.added] }))
  }

  return (
    <form
      className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto]"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <TextField
        label="Nova palavra ou frase"
        name="gatilhos"
        value={typed}
        error={error}
        hint={<RepeatedWords words={repeated} />}
        maxLength={1000}
        enterKeyHint="done"
        className="min-h-11"
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setRepeated([])
        }}
        onKeyDown={(event) => {
          if (event.key !== ',') return
          event.preventDefault()
          add()
        }}
      />
      <Button type="submit" className="min-h-11 sm:mt-[1.55rem] sm:self-start">
        Adicionar
      </Button>
    </form>
  )
}

function putBackGatilho(current: readonly string[], gatilho: string, index: number): { gatilhos?: string[] } {
  if (current.some((other) => foldWord(other) === foldWord(gatilho))) return {}
  return { gatilhos: [...current.slice(0, index), gatilho, ...current.slice(index)] }
}

function RepeatedWords({ words }: { words: readonly string[] }) {
  return (
    <span role="status" className={words.length === 0 ? '' : 'font-semibold text-warn-ink'}>
      {words.length === 0
        ? 'Enter ou vírgula adiciona. Maiúsculas e acentos não fazem diferença.'
        : `Já está na lista: ${words.join(', ')}`}
    </span>
  )
}
