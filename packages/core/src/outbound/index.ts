export { isPublicAddress } from './addresses.ts';
export {
  createDialer,
  type Dialer,
  type DialerOptions,
  type DialMethod,
  type DialRequest,
  type DialResult,
} from './dialer.ts';
export type { OutboundErrorCode } from './failure.ts';
export { type Lookup, systemLookup } from './lookup.ts';
export {
  type CidrList,
  type NetworkAllowList,
  parseCidrList,
  parseNetworkAllowList,
} from './networks.ts';
export { checkOutboundTarget, type TargetCheckOptions } from './target.ts';
export {
  checkOutboundUrl,
  type OutboundCheck,
  type OutboundTarget,
  type RefusedTarget,
  type TargetRefusal,
} from './url.ts';
