// `npm run componentes`: lists every locked package as CycloneDX 1.6, and those of the product by licence in
// THIRD-PARTY.md. npm's own `sbom` fails on a dependency with the version "latest".
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedDependencies, ROOT, say } from './toolchain.mjs'

const PASTA = 'node_modules/'

function nomeDe(caminho) {
  return caminho.slice(caminho.lastIndexOf(PASTA) + PASTA.length)
}

function purlDe(nome, versao) {
  return `pkg:npm/${nome.split('/').map(encodeURIComponent).join('/')}@${encodeURIComponent(versao)}`
}

function licencasDe(licenca) {
  if (licenca === undefined) return {}
  return { licenses: [/^[\w.+-]+$/.test(licenca) ? { license: { id: licenca } } : { expression: licenca }] }
}

/** The lock has `sha512-base64`; CycloneDX wants algorithm and hexadecimal. */
function resumosDe(integrity = '') {
  const [, bits, base64] = /^sha(\d+)-([A-Za-z0-9+/=]+)/.exec(integrity) ?? []
  if (base64 === undefined) return {}
  return { hashes: [{ alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') }] }
}

function componente(caminho, { version, license, integrity, dev, optional }) {
  const inteiro = nomeDe(caminho)
  const [grupo, nome] = inteiro.startsWith('@') ? inteiro.split('/') : [undefined, inteiro]
  const purl = purlDe(inteiro, version)
  const alcance = dev === true ? 'excluded' : optional === true ? 'optional' : 'required'
  return {
    type: 'library',
    'bom-ref': caminho,
    ...(grupo === undefined ? {} : { group: grupo }),
    name: nome,
    version,
    scope: alcance,
    ...licencasDe(license),
    ...resumosDe(integrity),
    purl,
  }
}

/** Builds the list from the text of the lock. The same lock gives the same serial number. */
export function listar(texto, agora = new Date()) {
  const { name, version, packages } = JSON.parse(texto)
  const caminhos = Object.keys(packages).filter((caminho) => packages[caminho].link !== true)
  const numero = createHash('sha256').update(texto).digest('hex')
  const uuid = `${numero.slice(0, 8)}-${numero.slice(8, 12)}-8${numero.slice(13, 16)}-8${numero.slice(17, 20)}-${numero.slice(20, 32)}`
  const raiz = { type: 'application', 'bom-ref': 'balcao', name, version }
  const refDe = (caminho) => (caminho === '' ? 'balcao' : caminho)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: { timestamp: agora.toISOString(), component: raiz },
    components: caminhos.filter((caminho) => caminho !== '').map((caminho) => componente(caminho, packages[caminho])),
    dependencies: caminhos.map((caminho) => ({
      ref: refDe(caminho),
      dependsOn: lockedDependencies(packages, caminho),
    })),
  }
}

const TERCEIROS = join(ROOT, 'THIRD-PARTY.md')
/** The generated part of the document. */
const GERADO = /(<!-- begin: npm run componentes -->\n)[\s\S]*(<!-- end -->)/

/** The document with the packages of the product by licence, as the lock has them. */
function comLicencas(documento, { packages }) {
  const porLicenca = new Map()
  for (const [caminho, { license = 'not in the lock', dev, link }] of Object.entries(packages)) {
    if (!caminho.includes(PASTA) || dev === true || link === true) continue
    porLicenca.set(license, (porLicenca.get(license) ?? new Set()).add(nomeDe(caminho)))
  }
  const linhas = [...porLicenca]
    .toSorted(([a], [b]) => a.localeCompare(b, 'en'))
    .map(
      ([licenca, nomes]) =>
        `- ${licenca} (${nomes.size}): ${[...nomes].toSorted((a, b) => a.localeCompare(b, 'en')).join(', ')}\n`,
    )
  return documento.replace(GERADO, (_, inicio, fim) => `${inicio}\n${linhas.join('')}\n${fim}`)
}

const lerTrava = () => JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))

/** Prints a sentence and returns 1 if THIRD-PARTY.md does not list the packages of the lock. */
export function conferirLicencas() {
  const documento = readFileSync(TERCEIROS, 'utf8')
  if (comLicencas(documento, lerTrava()) === documento) return 0
  process.stdout.write('THIRD-PARTY.md is not that of package-lock.json: run npm run componentes\n')
  return 1
}

export async function componentes([destino = join(ROOT, 'componentes.cdx.json')]) {
  writeFileSync(TERCEIROS, comLicencas(readFileSync(TERCEIROS, 'utf8'), lerTrava()))
  const lista = listar(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  writeFileSync(destino, `${JSON.stringify(lista, null, 2)}\n`)
  const produto = lista.components.filter(({ scope }) => scope !== 'excluded').length
  say(`${lista.components.length} componentes (${produto} fazem parte do produto) em ${destino}`)
  return 0
}
