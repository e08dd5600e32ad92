import { useState } from 'react'
import type { CupomListado } from '@balcao/contract/entities/cupom'
import { EllipsisVertical, Pencil, Plus, Power, PowerOff, TicketPercent, Trash2 } from 'lucide-react'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Menu } from '#shared/ui/menu.tsx'
import { EmptyState, QueryState, Skeleton } from '#shared/ui/states.tsx'
import { CupomForm } from './cupom-form.tsx'
import { conditionsText, discountText, usesText } from './cupom-values.ts'
import { useCupomActions, useCupons } from './use-cupons.ts'

type OpenDialog = { readonly tipo: 'novo' } | { readonly tipo: 'editar' | 'excluir'; readonly cupom: CupomListado }

export function CuponsView() {
  const query = useCupons()
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const add = (
    <Button variant="primary" className="min-h-11" onClick={() => setDialog({ tipo: 'novo' })}>
      <Plus size={18} aria-hidden /> Novo cupom
    </Button>
  )
  return (
    <section aria-label="Cupons" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="cupons-da-loja" tabIndex={-1} className="text-lg font-bold">
          Cupons
        </h2>
        {query.data !== undefined && query.data.length > 0 && add}
      </div>
      <QueryState query={query} skeleton={<CuponsSkeleton />} drawCard>
        {(cupons) =>
          cupons.length === 0 ? (
            <div className="card">
              <EmptyState title="Crie o primeiro cupom" icon={<TicketPercent size={22} aria-hidden />} action={add}>
                Um código que dá desconto ou entrega grátis. O cliente escreve “cupom VOLTEI10” antes de fechar o
                pedido, e o bot soma.
              </EmptyState>
            </div>
          ) : (
            <ul aria-label="Cupons da loja" className="card divide-y">
              {cupons.map((cupom) => (
                <CupomItem
                  key={cupom.id}
                  cupom={cupom}
                  onEdit={() => setDialog({ tipo: 'editar', cupom })}
                  onDelete={() => setDialog({ tipo: 'excluir', cupom })}
                />
              ))}
            </ul>
          )
        }
      </QueryState>
      {dialog !== null && <CupomDialogs dialog={dialog} onClose={() => setDialog(null)} />}
    </section>
  )
}

function CuponsSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os cupons" className="grid gap-3">
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-20 w-full" />
    </div>
  )
}

const ICON = { size: 16, 'aria-hidden': true } as const

interface CupomItemProps {
  readonly cupom: CupomListado
  readonly onEdit: () => void
  readonly onDelete: () => void
}

function CupomItem({ cupom, onEdit, onDelete }: CupomItemProps) {
  const { codigo, ativo, usos, usados } = cupom
  const { toggle } = useCupomActions()
  const conditions = conditionsText(cupom)
  return (
    <li className="flex items-start gap-3 p-3 sm:p-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-bold break-all">{codigo}</h3>
          <Chip tone="verde">{discountText(cupom)}</Chip>
          <CupomState cupom={cupom} />
        </div>
        <p className="mt-1 text-sm text-muted">
          {usesText(usos, usados)}
          {conditions !== '' && ` · ${conditions}`}
        </p>
      </div>
      <Menu
        label={`Mais ações do cupom ${codigo}`}
        className="btn btn-ghost btn-icon btn-touch"
        button={<EllipsisVertical size={20} aria-hidden />}
        items={[
          { label: 'Editar', icon: <Pencil {...ICON} />, run: onEdit },
          ativo
            ? { label: 'Desligar', icon: <PowerOff {...ICON} />, run: () => void toggle(cupom, false) }
            : { label: 'Ligar', icon: <Power {...ICON} />, run: () => void toggle(cupom, true) },
          { label: 'Excluir', icon: <Trash2 {...ICON} />, danger: true, run: onDelete },
        ]}
      />
    </li>
  )
}

function CupomState({ cupom: { ativo, validoAte } }: { cupom: CupomListado }) {
  if (!ativo) return <Chip>Desligado</Chip>
  return isOver(validoAte) ? <Chip tone="vermelho">Vencido</Chip> : null
}

function isOver(last: string | undefined): boolean {
  return last !== undefined && Date.parse(last) < Date.now()
}

function CupomDialogs({ dialog, onClose }: { dialog: OpenDialog; onClose: () => void }) {
  const { remove } = useCupomActions()
  switch (dialog.tipo) {
    case 'novo':
      return <CupomForm cupom={null} onClose={onClose} />
    case 'editar':
      return <CupomForm cupom={dialog.cupom} onClose={onClose} />
    case 'excluir':
      return (
        <ConfirmDialog
          open
          title={`Excluir o cupom ${dialog.cupom.codigo}?`}
          confirmLabel="Excluir cupom"
          onConfirm={() => remove(dialog.cupom)}
          onClose={onClose}
        >
          Os pedidos já feitos com ele continuam como estão. Para parar por um tempo, desligue o cupom.
        </ConfirmDialog>
      )
  }
}
