import { X } from 'lucide-react'
import { useRef, useState } from 'react'
import { notify } from '#shared/avisos.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { focusIaField } from './focus-field.ts'
import { foldWord, splitWords } from './gatilho-words.ts'
import type { IaChange } from './use-ia-form.ts'

interface GatilhosProps {
  readonly gatilhos: readonly string[]
  readonly error: string | undefined
  readonly change: (mudanca: IaChange) => void
}

export function GatilhosCard({ gatilhos, error, change }: GatilhosProps) {
  const [fresh, setNovo] = useState('')
  const [repeated, setRepetidas] = useState<readonly string[]>([])
  const lista = useRef<HTMLUListElement>(null)

  function add(): void {
    const parsed = splitWords(fresh, gatilhos)
    setNovo('')
    setRepetidas(parsed.repetidas)
    if (parsed.novas.length > 0) change((atual) => ({ gatilhos: [...atual.gatilhos, ...parsed.novas] }))
  }

  function remove(gatilho: string, index: number): void {
    change((atual) => ({ gatilhos: atual.gatilhos.filter((other) => other !== gatilho) }))
    notify.sucesso(`“${gatilho}” removida`, {
      action: { label: 'Desfazer', run: () => change((atual) => putBackGatilho(atual.gatilhos, gatilho, index)) },
    })
    // The pressed button was removed: focus moves to the next one, or to the field.
    requestAnimationFrame(() => {
      const buttons = lista.current?.querySelectorAll('button')
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
      <ul ref={lista} className="mb-4 flex flex-wrap gap-2 empty:hidden">
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
          value={fresh}
          error={error}
          hint={<RepeatedWords palavras={repeated} />}
          maxLength={1000}
          enterKeyHint="done"
          className="min-h-11"
          onChange={({ currentTarget }) => {
            setNovo(currentTarget.value)
            setRepetidas([])
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
    </Card>
  )
}

/** Undoes a removal, unless the word was added again. */
function putBackGatilho(atuais: readonly string[], gatilho: string, index: number): { gatilhos?: string[] } {
  if (atuais.some((other) => foldWord(other) === foldWord(gatilho))) return {}
  return { gatilhos: [...atuais.slice(0, index), gatilho, ...atuais.slice(index)] }
}

function RepeatedWords({ palavras }: { palavras: readonly string[] }) {
  return (
    <span role="status" className={palavras.length === 0 ? '' : 'font-semibold text-warn-ink'}>
      {palavras.length === 0
        ? 'Enter ou vírgula adiciona. Maiúsculas e acentos não fazem diferença.'
        : `Já está na lista: ${palavras.join(', ')}`}
    </span>
  )
}
