import { CalendarClock, Mic, Paperclip, Plus, SendHorizontal, Smile, Sparkles, Store } from 'lucide-react'
import clsx from 'clsx'
import { lazy, type RefObject, Suspense, useId, useRef, useState } from 'react'
import { changeField, type TextChange } from '#shared/form/text-marks.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { Button } from '#shared/ui/button.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { LazyPart } from '#shared/ui/lazy-part.tsx'
import { Menu, MENU_CLASS } from '#shared/ui/menu.tsx'

/** Filters the file picker only. The server detects the real type from the bytes. */
const ACCEPTED_UPLOADS =
  'image/png,image/jpeg,image/webp,application/pdf,audio/*,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.odt,.ods,.txt,.csv'

const ProdutoDialog = lazy(async () => ({
  default: (await import('#features/atendimento/mensagem/produto-dialog.tsx')).ProdutoDialog,
}))
const EmojiPanel = lazy(async () => ({ default: (await import('./emoji-panel.tsx')).EmojiPanel }))

const PANEL_WIDTH = 336
const PANEL_HEIGHT = 320

function placeAbove(panel: HTMLElement, source: DOMRect): void {
  panel.style.left = `${Math.max(8, Math.min(source.left, innerWidth - panel.offsetWidth - 8))}px`
  panel.style.top = `${Math.max(8, source.top - panel.offsetHeight - 8)}px`
}

interface EmojiPopoverProps {
  readonly id: string
  readonly panel: RefObject<HTMLDivElement | null>
  readonly tools: RefObject<HTMLElement | null>
  readonly onChange: (change: TextChange) => void
}

function EmojiPopover({ id, panel, tools, onChange }: EmojiPopoverProps) {
  const [open, setOpen] = useState(false)
  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      role="dialog"
      aria-label="Emojis e formatação"
      className={MENU_CLASS}
      style={{ width: `min(${PANEL_WIDTH}px, 100vw - 16px)` }}
      onToggle={({ newState, currentTarget }) => {
        setOpen(newState === 'open')
        if (newState === 'open' && tools.current !== null)
          placeAbove(currentTarget, tools.current.getBoundingClientRect())
      }}
    >
      <div className="flex flex-col overflow-hidden" style={{ height: `min(${PANEL_HEIGHT}px, 60dvh)` }}>
        {open && (
          <LazyPart name="os emojis">
            <EmojiPanel
              onChange={(change) => {
                panel.current?.hidePopover()
                onChange(change)
              }}
            />
          </LazyPart>
        )}
      </div>
    </div>
  )
}

interface ToolsProps {
  readonly panelId: string
  readonly sends: boolean
  readonly writes: boolean
  readonly onFiles: () => void
  readonly onProduto: () => void
  readonly onEmojis: () => void
  readonly onSchedule: (() => void) | undefined
  /** Undefined: the AI suggests nothing here. */
  readonly onSuggest: (() => void) | undefined
}

function WideTools({ panelId, sends, writes, onFiles, onProduto, onSuggest }: ToolsProps) {
  return (
    <>
      {onSuggest !== undefined && (
        <IconButton
          label="Sugerir resposta"
          tooltip="native"
          size="touch"
          disabled={!sends}
          icon={<Sparkles size={20} aria-hidden />}
          onClick={onSuggest}
        />
      )}
      <IconButton
        label="Emojis e formatação"
        tooltip="native"
        size="touch"
        aria-haspopup="dialog"
        popoverTarget={panelId}
        disabled={!writes}
        icon={<Smile size={20} aria-hidden />}
      />
      <IconButton
        label="Anexar arquivo"
        tooltip="native"
        size="touch"
        disabled={!sends}
        icon={<Paperclip size={20} aria-hidden />}
        onClick={onFiles}
      />
      <IconButton
        label="Enviar produto"
        tooltip="native"
        size="touch"
        disabled={!sends}
        icon={<Store size={20} aria-hidden />}
        onClick={onProduto}
      />
    </>
  )
}

function FoldedTools({ sends, writes, onFiles, onProduto, onEmojis, onSchedule, onSuggest }: ToolsProps) {
  if (!writes) return null
  const refusal = sends ? undefined : 'Indisponível agora.'
  const items = [
    ...(onSuggest === undefined
      ? []
      : [{ label: 'Sugerir resposta', icon: <Sparkles size={18} aria-hidden />, refusal, run: onSuggest }]),
    { label: 'Anexar arquivo', icon: <Paperclip size={18} aria-hidden />, refusal, run: onFiles },
    { label: 'Enviar produto', icon: <Store size={18} aria-hidden />, refusal, run: onProduto },
    { label: 'Emojis e formatação', icon: <Smile size={18} aria-hidden />, run: onEmojis },
    ...(onSchedule === undefined
      ? []
      : [{ label: 'Enviar mais tarde', icon: <CalendarClock size={18} aria-hidden />, run: onSchedule }]),
  ]
  return (
    <Menu
      label="Anexar e formatar"
      button={<Plus size={20} aria-hidden />}
      items={items}
      className="btn btn-ghost btn-icon btn-touch"
    />
  )
}

export interface ComposerToolsProps extends Pick<ToolsProps, 'sends' | 'writes' | 'onSchedule' | 'onSuggest'> {
  readonly conversaId: string
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly onText: (text: string) => void
  readonly onAttach: (files: readonly File[]) => void
}

/** Suggestion, emojis, files and products. A phone has space for one button, which opens them as a menu. */
export function ComposerTools(props: ComposerToolsProps) {
  const { conversaId, field, sends, writes, onText, onAttach, onSchedule, onSuggest } = props
  const panelId = useId()
  const Tools = useMediaQuery('(min-width: 40rem)') ? WideTools : FoldedTools
  const tools = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [produto, setProduto] = useState(false)
  return (
    <div ref={tools} className="flex flex-none gap-1">
      <Tools
        {...{ panelId, sends, writes, onSchedule, onSuggest }}
        onFiles={() => files.current?.click()}
        onProduto={() => setProduto(true)}
        onEmojis={() => panel.current?.showPopover()}
      />
      <EmojiPopover
        id={panelId}
        panel={panel}
        tools={tools}
        onChange={(change) => changeField(field, onText, change)}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={ACCEPTED_UPLOADS}
        aria-label="Escolher arquivos"
        onChange={({ currentTarget }) => {
          onAttach([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <Suspense>{produto && <ProdutoDialog conversaId={conversaId} onClose={() => setProduto(false)} />}</Suspense>
    </div>
  )
}

export interface SendButtonsProps {
  readonly empty: boolean
  readonly sending: boolean
  readonly canSend: boolean
  readonly canRecord: boolean
  readonly onRecord: () => void
  readonly onSchedule: (() => void) | undefined
}

/**
 * An empty field offers the recording, a text its schedule. While a text is sent, its button takes the width of both, so
 * that the field keeps its own.
 */
export function SendButtons({ empty, sending, canSend, canRecord, onRecord, onSchedule }: SendButtonsProps) {
  return (
    <div className={clsx('flex flex-none gap-1 sm:min-w-40', (empty || sending) && 'min-w-28')}>
      {empty && !sending && (
        <IconButton
          label="Gravar áudio"
          tooltip="native"
          size="touch"
          disabled={!canRecord}
          icon={<Mic size={20} aria-hidden />}
          onClick={onRecord}
        />
      )}
      {!empty && !sending && onSchedule !== undefined && (
        <IconButton
          label="Enviar mais tarde"
          tooltip="native"
          size="touch"
          className="max-sm:hidden"
          aria-haspopup="dialog"
          icon={<CalendarClock size={20} aria-hidden />}
          onClick={onSchedule}
        />
      )}
      <Button
        type="submit"
        variant="primary"
        size="touch"
        className="min-w-11 flex-1 max-lg:px-2"
        disabled={!canSend}
        aria-busy={sending || undefined}
      >
        {sending ? (
          'Enviando...'
        ) : (
          <>
            <SendHorizontal size={18} aria-hidden /> <span className="max-sm:sr-only">Enviar</span>
          </>
        )}
      </Button>
    </div>
  )
}
