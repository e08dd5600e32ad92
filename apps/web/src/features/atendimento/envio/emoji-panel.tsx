import { foldAccents } from '@balcao/contract/text/fold-accents'
import { useState } from 'react'
import { MARKS, insertText, type TextChange, wrapWith } from '#shared/form/text-marks.ts'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { EMOJI_GROUPS, type Emoji } from './emojis.ts'

const STORAGE_KEY = 'emojis-usados'
const USED_MAX = 16

/** The emojis that this device used last, newest first. */
function readUsed(): readonly string[] {
  return localStorage.getItem(STORAGE_KEY)?.split(' ') ?? []
}

function storeUsed(emoji: string): void {
  const used = [emoji, ...readUsed().filter((other) => other !== emoji)]
  localStorage.setItem(STORAGE_KEY, used.slice(0, USED_MAX).join(' '))
}

const ALL = EMOJI_GROUPS.flatMap(({ emojis }) => emojis)

function findEmojis(search: string): readonly Emoji[] {
  const terms = foldAccents(search.trim()).split(/\s+/)
  return ALL.filter(({ words }) => {
    const folded = ` ${foldAccents(words)}`
    return terms.every((term) => folded.includes(` ${term}`))
  })
}

interface EmojiGridProps {
  readonly name: string
  readonly emojis: readonly Emoji[]
  readonly onChoose: (emoji: string) => void
}

function EmojiGrid({ name, emojis, onChoose }: EmojiGridProps) {
  if (emojis.length === 0) return null
  return (
    <section>
      <h3 className="px-1 text-xs font-semibold text-muted">{name}</h3>
      <div className="flex flex-wrap">
        {emojis.map(({ emoji, words }) => (
          <button
            key={emoji}
            type="button"
            aria-label={words}
            title={words}
            className="grid size-9 place-items-center rounded-lg text-lg hover:bg-sunken"
            onClick={() => onChoose(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
    </section>
  )
}

/** On touch the keyboard would cover the panel. */
function focusSearch(field: HTMLInputElement | null): void {
  if (matchMedia('(pointer: fine)').matches) field?.focus({ preventScroll: true })
}

export interface EmojiPanelProps {
  readonly onChange: (change: TextChange) => void
}

/** Marks for the selection and emojis for the cursor. */
export function EmojiPanel({ onChange }: EmojiPanelProps) {
  const [search, setSearch] = useState('')
  const [used] = useState(() => readUsed().flatMap((emoji) => ALL.find((one) => one.emoji === emoji) ?? []))
  const found = search.trim() === '' ? null : findEmojis(search)
  const choose = (emoji: string): void => {
    storeUsed(emoji)
    onChange(insertText(emoji))
  }
  return (
    <>
      <div className="flex items-center gap-1 p-1">
        <input
          ref={focusSearch}
          type="search"
          aria-label="Buscar emoji"
          placeholder="Buscar emoji"
          className="field min-w-0 flex-1"
          value={search}
          onChange={({ currentTarget }) => setSearch(currentTarget.value)}
          onKeyDown={(event) => {
            const [first] = found ?? []
            if (event.key !== 'Enter') return
            // The panel is inside the form that sends.
            event.preventDefault()
            if (first !== undefined) choose(first.emoji)
          }}
        />
        {MARKS.map(({ mark, name, Icon }) => (
          <IconButton
            key={mark}
            label={name}
            tooltip={false}
            icon={<Icon size={16} aria-hidden />}
            onClick={() => onChange(wrapWith(mark))}
          />
        ))}
      </div>
      <div className="grid min-h-0 flex-1 content-start gap-2 overflow-y-auto p-1">
        {found === null ? (
          <>
            <EmojiGrid name="Usados" emojis={used} onChoose={choose} />
            {EMOJI_GROUPS.map((group) => (
              <EmojiGrid key={group.name} {...group} onChoose={choose} />
            ))}
          </>
        ) : found.length === 0 ? (
          <p role="status" className="p-1 text-sm text-muted">
            Nenhum emoji com este nome.
          </p>
        ) : (
          <EmojiGrid name="Encontrados" emojis={found} onChoose={choose} />
        )}
      </div>
    </>
  )
}
