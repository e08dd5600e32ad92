import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** For tests of networks (RFC 2544), so no real address is hidden. */
const NETWORK = '198.18'
const OURS = /^balcao-(\d+)-/

/** A machine of the network: a network namespace with one address. */
export interface Place {
  readonly name: string
  readonly address: string
  /** Prefix of a command that runs inside. */
  readonly inside: readonly string[]
  readonly pids: () => number[]
  /** Pulls the cable: no packet arrives or leaves, and no side gets an error. */
  readonly cut: () => void
  /** Drops what the other places would answer to this one. This process still reaches it. */
  readonly cutFromOthers: () => void
  readonly mend: () => void
}

export interface Network {
  readonly places: readonly Place[]
  readonly remove: () => void
}

const ip = (...args: readonly string[]): string => execFileSync('ip', args, { encoding: 'utf8' })

/** Places joined by a switch, which is in another namespace, and a link from there to this process. Needs root. */
export function createNetwork(names: readonly string[]): Network {
  sweepAbandoned()
  const mark = `balcao-${process.pid}`
  const middle = `${mark}-rede`
  const subnet = freeSubnet()
  ip('netns', 'add', middle)
  ip('-n', middle, 'link', 'add', 'br0', 'type', 'bridge', 'forward_delay', '0')
  ip('-n', middle, 'link', 'set', 'br0', 'up')
  const own = `bal${process.pid}`
  ip('link', 'add', own, 'type', 'veth', 'peer', 'name', 'teste', 'netns', middle)
  plug(middle, 'teste')
  ip('address', 'add', `${subnet}.254/24`, 'dev', own)
  ip('link', 'set', own, 'up')
  const addresses = names.map((_, index) => `${subnet}.${index + 11}`)
  const places = names.map((name, index) => {
    const address = addresses[index] ?? ''
    return createPlace({ name, address, mark, middle, others: names.filter((other) => other !== name) })
  })
  return { places, remove: () => removeMarked(mark) }
}

interface PlaceOptions extends Pick<Place, 'name' | 'address'> {
  readonly mark: string
  readonly middle: string
  readonly others: readonly string[]
}

function createPlace({ name, address, mark, middle, others }: PlaceOptions): Place {
  const space = `${mark}-${name}`
  ip('netns', 'add', space)
  ip('link', 'add', 'eth0', 'netns', space, 'type', 'veth', 'peer', 'name', name, 'netns', middle)
  plug(middle, name)
  ip('-n', space, 'address', 'add', `${address}/24`, 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) ip('-n', space, 'link', 'set', device, 'up')
  const atOthers = (act: 'add' | 'del'): void => {
    for (const other of others) ip('-n', `${mark}-${other}`, 'route', act, 'blackhole', `${address}/32`)
  }
  let mending = (): void => undefined
  return {
    ...{ name, address },
    inside: ['ip', 'netns', 'exec', space],
    pids: () => pidsIn(space),
    cut: () => {
      ip('-n', middle, 'link', 'set', name, 'nomaster')
      mending = () => plug(middle, name)
    },
    cutFromOthers: () => {
      atOthers('add')
      mending = () => atOthers('del')
    },
    mend: () => {
      mending()
      mending = () => undefined
    },
  }
}

function plug(middle: string, port: string): void {
  ip('-n', middle, 'link', 'set', port, 'master', 'br0', 'up')
}

function freeSubnet(): string {
  const used = ip('-o', 'address')
  const numbers = Array.from({ length: 256 }, (_, index) => (index + process.pid) % 256)
  const free = numbers.find((number) => !used.includes(`${NETWORK}.${number}.`))
  if (free === undefined) throw new Error('no free network')
  return `${NETWORK}.${free}`
}

function pidsIn(space: string): number[] {
  return ip('netns', 'pids', space)
    .split('\n')
    .flatMap((line) => (line === '' ? [] : Number(line)))
}

const spaces = (): string[] =>
  ip('netns', 'list')
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '')
    .filter((name) => OURS.test(name))

/** Kills what runs in the namespaces. The links go with them. */
function removeMarked(mark: string): void {
  for (const space of spaces().filter((name) => name.startsWith(`${mark}-`))) {
    for (const pid of pidsIn(space)) process.kill(pid, 'SIGKILL')
    ip('netns', 'delete', space)
  }
}

/** Of runs that were killed. */
function sweepAbandoned(): void {
  const owners = new Set(spaces().flatMap((name) => OURS.exec(name)?.[1] ?? []))
  for (const pid of owners) if (!existsSync(`/proc/${pid}`)) removeMarked(`balcao-${pid}`)
}
