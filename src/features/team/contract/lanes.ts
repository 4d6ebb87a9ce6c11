/** The lane of a member; its name can hold everything that a lane's can. */
export const memberLane = (name: string): string => `member-${name}`;
export const LEAD_LANE = 'lead';
